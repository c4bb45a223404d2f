# SPDX-License-Identifier: Apache-2.0
"""The model and its linear layers."""
import unittest

import torch

from rl_example.attention import Cache, rotate
from rl_example.linear import Linear
from rl_example.model import Config, Policy
from rl_example.numerics import Numerics
from rl_example.qdq import qdq, qdq_with_residual


def policy(**changes):
    """A small one, the same every time."""
    torch.manual_seed(2)
    return Policy(Config(13, hidden=40, intermediate=72, layers=2, **changes))


def tokens():
    return torch.randint(0, 13, (3, 7), generator=torch.Generator().manual_seed(4))


class LinearTest(unittest.TestCase):
    def products(self, numerics):
        """Operands x, w, dy and the layer's y, dx, dw."""
        torch.manual_seed(1)
        layer = Linear(40, 24)
        layer.numerics = numerics
        x = torch.randn(2, 35, 40).bfloat16().requires_grad_()
        dy = torch.randn(2, 35, 24).bfloat16()
        y = layer(x)
        y.backward(dy)
        flat = [t.detach().flatten(0, -2) for t in (x, layer.weight, dy, y, x.grad, layer.weight.grad)]
        return flat

    def test_each_operand_is_quantized_along_k_of_its_gemm(self):
        for number_format in ("mxfp4", "hif4", "nvfp4"):
            x, w, dy, y, dx, dw = self.products(Numerics(number_format))

            def q(values):
                return qdq(values, number_format)

            self.assertTrue(torch.equal(y, (q(x) @ q(w).t()).bfloat16()))
            self.assertTrue(torch.equal(dx, (q(dy) @ q(w.t()).t()).bfloat16()))
            self.assertTrue(torch.equal(dw, (q(dy.t()) @ q(x.t()).t()).bfloat16()))
            self.assertFalse(torch.equal(dw, (q(dy).t() @ q(x)).bfloat16()))

    def test_the_residual_is_that_of_the_activations(self):
        x, w, _, y, _, _ = self.products(Numerics("mxfp4", "2:4"))
        expected = qdq_with_residual(x, "mxfp4", "2:4") @ qdq(w, "mxfp4").t()
        self.assertTrue(torch.equal(y, expected.bfloat16()))
        self.assertFalse(torch.equal(y, self.products(Numerics("mxfp4"))[3]))

    def test_bias(self):
        layer = Linear(8, 4, bias=True)
        torch.nn.init.constant_(layer.bias, 3)
        y = layer(torch.zeros(2, 5, 8, dtype=torch.bfloat16))
        self.assertTrue(bool((y == 3).all()))
        y.sum().backward()
        self.assertEqual(layer.bias.grad.tolist(), [10.0] * 4)


class PolicyTest(unittest.TestCase):
    def test_gives_probabilities(self):
        self.assertTrue(torch.allclose(policy()(tokens()).exp().sum(-1), torch.ones(3, 7), atol=1e-5))

    def test_no_token_sees_a_later_one(self):
        model, changed = policy(), tokens()
        changed[:, 5] = (changed[:, 5] + 1) % 13
        before, after = model(tokens()), model(changed)
        self.assertTrue(torch.equal(before[:, :5], after[:, :5]))
        self.assertFalse(torch.equal(before[:, 5], after[:, 5]))

    def test_decoding_with_a_cache_gives_what_the_whole_gives(self):
        # Rows of a GEMM may be added in another order: a unit of BF16 here and there.
        model, cache = policy(), Cache(2)
        whole = model(tokens())
        with torch.no_grad():
            parts = [model(part, cache) for part in tokens().split((4, 1, 1, 1), 1)]
        self.assertTrue(torch.allclose(whole, torch.cat(parts, 1), atol=0.02))
        self.assertGreater((whole[:, 1:] - whole[:, :-1]).abs().max().item(), 0.2)

    def test_a_cache_keeps_the_sequences_it_is_told(self):
        model, cache = policy(), Cache(2)
        with torch.no_grad():
            whole = model(tokens())[:, -1]
            model(tokens()[:, :-1], cache)
            cache.select(torch.tensor([2, 0, 2]))
            last = model(tokens()[[2, 0, 2], -1:], cache)[:, 0]
        self.assertTrue(torch.allclose(last, whole[[2, 0, 2]], atol=0.02))

    def test_rotation_is_by_the_difference_of_positions(self):
        g = torch.Generator().manual_seed(1)
        a, b = torch.randn(1, 8, generator=g), torch.randn(1, 8, generator=g)
        products = [(rotate(a, i, 100.0) * rotate(b, i + 3, 100.0)).sum().item() for i in (0, 5)]
        self.assertAlmostEqual(*products, places=5)
        self.assertNotAlmostEqual(products[0], (a * b).sum().item(), places=2)

    def test_the_head_stays_in_bf16(self):
        model = policy()
        model.use(Numerics("mxfp4"))
        formats = {name: module.numerics.number_format for name, module in model.named_modules()
                   if isinstance(module, Linear)}
        self.assertEqual(formats.pop("lm_head"), "bf16")
        self.assertEqual(set(formats.values()), {"mxfp4"})
        self.assertEqual(len(formats), 14)
        self.assertIn("model.layers.1.self_attn.q_proj", formats)
        self.assertIn("model.layers.0.mlp.down_proj", formats)

    def test_checkpointing_changes_no_gradient(self):
        gradients = []
        for checkpointing in (False, True):
            model = policy()
            model.use(Numerics("hif4"))
            model.checkpointing = checkpointing
            model(tokens())[..., 3].sum().backward()
            gradients.append([parameter.grad for parameter in model.parameters()])
        for plain, recomputed in zip(*gradients):
            self.assertTrue(torch.equal(plain, recomputed))

    def test_a_tied_head_has_the_weights_of_the_embedding(self):
        model = policy(tied_head=True)
        self.assertIs(model.lm_head.weight, model.model.embed_tokens.weight)
        self.assertEqual(len(list(policy().parameters())), len(list(model.parameters())) + 1)


if __name__ == "__main__":
    unittest.main()
