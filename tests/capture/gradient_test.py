# SPDX-License-Identifier: Apache-2.0
"""The captured operands are those of autograd: dY^T X is the weight gradient of every layer."""
import unittest

import torch
from support import LINEAR, CaptureTest, Model, Trace, loss, tokens

from nibblecore_capture import capture

UNIT_F32 = 2.0 ** -24
UNIT_BF16 = 2.0 ** -8


def accumulation_unit(dtype):
    """Unit roundoff of the sums in this machine's matrix product: kernels for BF16 add in F32,
    except the plain ones of old processors, where a sum of ones stops growing at 256."""
    ones = torch.ones(64, 4096, dtype=dtype)
    return UNIT_F32 if float((ones @ ones.t())[0, 0]) == 4096 else UNIT_BF16


class GradientTest(CaptureTest):
    def check(self, model, run=lambda model: loss(model(tokens())),
              layers=tuple(LINEAR + ["lm_head"])):
        """Every element of autograd's gradient lies as close to the exact dY^T X of the captured
        operands as sums of K products in any order may: K u / (1 - K u) times the sum of the
        products' magnitudes (Higham, Accuracy and Stability of Numerical Algorithms, 3.1), and half
        a unit of BF16 where the result is rounded to it. F64 gives the reference: its own error is
        2^-29 of that bound."""
        with capture(model, self.path):
            run(model).backward()
        trace = Trace(self.path)
        for name in layers:
            record = trace.one(layer=name, gemm="wgrad")
            dy, x = trace.operand(record, "a"), trace.operand(record, "b")
            self.assertEqual(list(dy.shape), [record["K"], record["M"]])
            self.assertEqual(list(x.shape), [record["K"], record["N"]])
            exact = dy.double().t() @ x.double()
            terms = record["K"] * accumulation_unit(dy.dtype)
            bound = terms / (1 - terms) * (dy.double().abs().t() @ x.double().abs())
            if dy.dtype is torch.bfloat16:
                bound = bound + UNIT_BF16 * (exact.abs() + bound)
            gradient = model.get_submodule(name).weight.grad.double()
            self.assertGreater(float(exact.abs().max()), 0)
            self.assertTrue(bool(((gradient - exact).abs() <= bound).all()), name)
        return trace

    def test_f32(self):
        trace = self.check(Model())
        self.assertEqual(len(trace.find(gemm="fprop")), 13)
        self.assertEqual(len(trace.find(gemm="dgrad")), 13)
        self.assertEqual(len(trace.find(gemm="wgrad")), 13)

    def test_reentrant_checkpointing(self):
        self.check(Model(reentrant=True))

    def test_checkpointing_by_saved_tensors(self):
        self.check(Model(reentrant=False))

    def test_bf16(self):
        trace = self.check(Model().bfloat16())
        self.assertEqual({tensor.dtype for tensor in trace.tensors.values()}, {torch.bfloat16})

    def test_autocast_stores_what_the_product_took(self):
        def run(model):
            with torch.autocast("cpu", dtype=torch.bfloat16):
                logits = model(tokens())
            return loss(logits)

        trace = self.check(Model(), run)
        self.assertEqual({tensor.dtype for tensor in trace.tensors.values()}, {torch.bfloat16})

    def test_autocast_recomputed(self):
        def run(model):
            with torch.autocast("cpu", dtype=torch.bfloat16):
                logits = model(tokens())
            return loss(logits)

        trace = self.check(Model(reentrant=False), run)
        self.assertEqual({tensor.dtype for tensor in trace.tensors.values()}, {torch.bfloat16})

    def test_input_gradient_is_dy_w(self):
        layer = torch.nn.Sequential(torch.nn.Linear(32, 48))
        x = torch.randn(2, 9, 32, requires_grad=True)
        with capture(layer, self.path):
            layer(x).square().sum().backward()
        trace = Trace(self.path)
        record = trace.one(gemm="dgrad")
        self.assert_product(trace.operand(record, "a"), trace.operand(record, "b"),
                            x.grad.reshape(18, 32))

    def test_input_overwritten_behind_the_layer(self):
        layer = torch.nn.Sequential(torch.nn.Linear(16, 24))
        x = torch.randn(2, 5, 16)
        before = x.clone().reshape(10, 16)
        with capture(layer, self.path), torch.no_grad():
            layer(x)
            x.add_(100)
        trace = Trace(self.path)
        self.assertTrue(torch.equal(trace.operand(trace.records[0], "a"), before))

    def test_output_overwritten_has_its_own_gradient(self):
        torch.manual_seed(1)
        for shape in ((5, 16), (2, 5, 16)):
            for bias in (False, True):
                with self.subTest(shape=shape, bias=bias):
                    layer = torch.nn.Sequential(torch.nn.Linear(16, 24, bias=bias))
                    path = f"{self.path}{len(shape)}{bias}"
                    with capture(layer, path, gemms=("wgrad",)):
                        y = layer(torch.randn(shape))
                        y.mul_(3).relu_().sum().backward()
                    trace = Trace(path)
                    dy = trace.operand(trace.records[0], "a")
                    self.assertTrue(bool(((dy == 0) | (dy == 3)).all()))
                    self.assertEqual(int((dy == 3).sum()), int((y > 0).sum()))


if __name__ == "__main__":
    unittest.main()
