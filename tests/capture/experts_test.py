# SPDX-License-Identifier: Apache-2.0
"""Mixtures of experts: lists of linear layers, and weights of all experts in one tensor."""
import unittest

import torch
from support import CaptureTest, Trace

from nibblecore_capture import CaptureError, capture


class ListOfExperts(torch.nn.Module):
    """Routes token t to expert t mod 3 of 4: the last has none."""

    def __init__(self):
        super().__init__()
        self.gate = torch.nn.Linear(32, 4, bias=False)
        self.experts = torch.nn.ModuleList([torch.nn.Linear(32, 48, bias=False) for _ in range(4)])

    def forward(self, x):
        share = torch.softmax(self.gate(x), -1)
        y = torch.zeros(x.shape[0], 48)
        for number, expert in enumerate(self.experts):
            chosen = (torch.arange(x.shape[0]) % 3 == number).nonzero().flatten()
            y = y.index_add(0, chosen, expert(x[chosen]) * share[chosen, number:number + 1])
        return y


class Grouped(torch.nn.Module):
    """Products of tokens sorted by expert."""

    def __init__(self, layout):
        super().__init__()
        self.layout = layout
        shape = (4, 48, 32) if layout == "out_in" else (4, 32, 48)
        self.w1 = torch.nn.Parameter(torch.randn(shape))

    def forward(self, x, sizes):
        weights = self.w1.transpose(1, 2) if self.layout == "out_in" else self.w1
        return torch.cat([part @ weights[e] for e, part in enumerate(x.split(list(sizes)))])


class Batched(torch.nn.Module):
    """Products of [experts, capacity, in]."""

    def __init__(self):
        super().__init__()
        self.weight = torch.nn.Parameter(torch.randn(4, 32, 48))

    def forward(self, x):
        return torch.bmm(x, self.weight)


class Holder(torch.nn.Module):
    """Gives the module a path."""

    def __init__(self, experts):
        super().__init__()
        self.mlp = torch.nn.Module()
        self.mlp.experts = experts


class ExpertsTest(CaptureTest):
    def assert_gradient(self, trace, record, gradient):
        """dY^T X of a record is this gradient [out, in]."""
        self.assert_product(trace.operand(record, "a").transpose(-1, -2),
                            trace.operand(record, "b"), gradient)

    def test_list_of_experts(self):
        torch.manual_seed(2)
        model = torch.nn.ModuleDict({"mlp": ListOfExperts()})
        x = torch.randn(70, 32, requires_grad=True)
        with capture(model, self.path) as recorder:
            model["mlp"](x).square().sum().backward()
        trace = Trace(self.path)
        self.assertEqual(recorder.skipped, {"no tokens": 1})
        for number, tokens in enumerate((24, 23, 23)):
            record = trace.one(layer=f"mlp.experts.{number}", gemm="wgrad")
            self.assertEqual((record["expert"], record["K"], record["quantize"]),
                             (number, tokens, True))
            self.assertEqual(trace.one(expert=number, gemm="dgrad")["M"], tokens)
            self.assert_gradient(trace, record, model["mlp"].experts[number].weight.grad)
        self.assertEqual(trace.find(expert=3), [])
        router = trace.one(layer="mlp.gate", gemm="fprop")
        self.assertNotIn("expert", router)
        self.assertFalse(router["quantize"])

    def test_grouped_weights(self):
        for layout in ("out_in", "in_out"):
            with self.subTest(layout=layout):
                torch.manual_seed(2)
                model = Holder(Grouped(layout))
                x = torch.randn(90, 32, requires_grad=True)
                path = f"{self.path}-{layout}"
                with capture(model, path, layers=[]) as recorder:
                    recorder.grouped(model.mlp.experts, weight="w1", layout=layout, sizes=1)
                    model.mlp.experts(x, torch.tensor([64, 0, 7, 19])).square().sum().backward()
                    self.assertEqual(recorder.skipped, {"no tokens": 1})
                self.check_grouped(Trace(path), model.mlp.experts, x)

    def check_grouped(self, trace, experts, x):
        self.assertEqual([r["expert"] for r in trace.find(gemm="fprop")], [0, 2, 3])
        for number, (begin, end) in {0: (0, 64), 2: (64, 71), 3: (71, 90)}.items():
            weight = experts.w1[number] if experts.layout == "out_in" else experts.w1[number].t()
            gradient = experts.w1.grad[number]
            gradient = gradient if experts.layout == "out_in" else gradient.t()
            fprop, dgrad, wgrad = (trace.one(layer="mlp.experts", expert=number, gemm=kind)
                                   for kind in ("fprop", "dgrad", "wgrad"))
            self.assertEqual((fprop["M"], fprop["N"], fprop["K"]), (end - begin, 48, 32))
            self.assertTrue(torch.equal(trace.operand(fprop, "a"), x[begin:end]))
            stored = trace.operand(fprop, "b")
            self.assertTrue(torch.equal(stored if fprop["tb"] else stored.t(), weight))
            self.assertEqual((dgrad["M"], dgrad["N"], dgrad["K"]), (end - begin, 32, 48))
            stored = trace.operand(dgrad, "b")
            self.assert_product(trace.operand(dgrad, "a"), stored.t() if dgrad["tb"] else stored,
                                x.grad[begin:end])
            self.assert_gradient(trace, wgrad, gradient)

    def test_batched_weights(self):
        torch.manual_seed(2)
        model = Holder(Batched())
        x = torch.randn(4, 20, 32, requires_grad=True)
        with capture(model, self.path, layers=[]) as recorder:
            recorder.grouped(model.mlp.experts, layout="in_out")
            model.mlp.experts(x).square().sum().backward()
        trace = Trace(self.path)
        fields = ("gemm", "batch", "M", "N", "K", "ta", "tb")
        self.assertEqual([tuple(r[field] for field in fields) for r in trace.records],
                         [("fprop", 4, 20, 48, 32, 0, 0), ("dgrad", 4, 20, 32, 48, 0, 1),
                          ("wgrad", 4, 48, 32, 20, 1, 0)])
        self.assert_gradient(trace, trace.records[2], model.mlp.experts.weight.grad.transpose(1, 2))

    def test_linear_layers_of_other_kinds(self):
        class Parallel(torch.nn.Module):
            """Gives its bias beside the product, as Megatron's layers do."""

            def __init__(self):
                super().__init__()
                self.kernel = torch.nn.Parameter(torch.randn(48, 32))

            def forward(self, x):
                return x @ self.kernel.t(), None

        torch.manual_seed(2)
        model = Holder(Parallel())
        with capture(model, self.path, layers=[]) as recorder:
            recorder.grouped(model.mlp.experts, weight="kernel", name="layers.0.qkv")
            model.mlp.experts(torch.randn(2, 6, 32))[0].square().sum().backward()
        trace = Trace(self.path)
        self.assert_gradient(trace, trace.one(layer="layers.0.qkv", gemm="wgrad"),
                             model.mlp.experts.kernel.grad)

    def test_functional_products_by_observe(self):
        torch.manual_seed(2)
        x, weight = torch.randn(2, 6, 32), torch.randn(48, 32, requires_grad=True)
        with capture(Holder(Batched()), self.path, layers=[]) as recorder:
            y = torch.nn.functional.linear(x, weight)
            recorder.observe("fused.router", x, weight, y, expert=3, count=5)
            recorder.observe("fused.other", x, weight, y, quantize=False)
            y.square().sum().backward()
        trace = Trace(self.path)
        record = trace.one(layer="fused.router", gemm="wgrad")
        self.assertEqual((record["expert"], record["count"], record["quantize"]), (3, 5, False))
        self.assert_gradient(trace, record, weight.grad)
        self.assertEqual([r["layer"] for r in trace.find(gemm="dgrad")], [])
        self.assertNotIn("count", trace.one(layer="fused.other", gemm="fprop"))

    def test_mistakes_are_named(self):
        x, weight, y = torch.randn(6, 32), torch.randn(4, 48, 32), torch.randn(6, 48)
        mistakes = [
            (dict(sizes=[1, 2, 3]), "3 group sizes don't fit"),
            (dict(sizes=[1, 2, 3, 4]), "no shares of 6 tokens"),
            (dict(sizes=[6, 1, 0, -1]), "no shares of 6 tokens"),
            (dict(sizes=[3, 3, 0, 0], layout="in_out"), r"weight \[48, 32\] \(in_out\)"),
            (dict(sizes=[6, 0, 0, 0], count=0), "count 0"),
            (dict(layout="columns"), "layout 'columns' is none of out_in, in_out"),
        ]
        for arguments, reason in mistakes:
            with self.assertRaisesRegex(CaptureError, "layer l: .*" + reason):
                with capture(Holder(Batched()), self.path, layers=[]) as recorder:
                    recorder.observe("l", x, weight, y, **arguments)
        with self.assertRaisesRegex(CaptureError, "mlp.experts has no tensor 'w9'"):
            with capture(model := Holder(Batched()), self.path, layers=[]) as recorder:
                recorder.grouped(model.mlp.experts, weight="w9")
        self.assert_nothing_left()


if __name__ == "__main__":
    unittest.main()
