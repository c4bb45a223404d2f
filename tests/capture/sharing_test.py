# SPDX-License-Identifier: Apache-2.0
"""A tensor that several GEMMs use is stored once."""
import os
import unittest

import torch
from support import CaptureTest, Model, Trace, loss, tokens

from nibblecore_capture import capture
from nibblecore_capture.operands import OperandStore


class SharingTest(CaptureTest):
    def trace_of(self, model, run, **arguments):
        with capture(model, self.path, **arguments) as recorder:
            run(recorder)
        return Trace(self.path)

    def operands(self, trace, field, layers, **fields):
        return {tuple(trace.one(layer=f"layers.0.{name}_proj", **fields)[field]) for name in layers}

    def test_layers_that_share_an_input(self):
        model = Model()
        trace = self.trace_of(model, lambda _: loss(model(tokens())).backward())
        qkv = self.operands(trace, "a", "qkv", gemm="fprop")
        qkv |= self.operands(trace, "b", "qkv", gemm="wgrad")
        gated = self.operands(trace, "a", ["gate", "up"], gemm="fprop")
        self.assertEqual(len(qkv), 1)
        self.assertEqual(len(gated), 1)
        self.assertNotEqual(qkv, gated)
        # 13 weights, 13 gradients, and inputs: qkv, gate and up, down of two blocks, and the
        # head's.
        self.assertEqual(len(trace.tensors), 13 + 13 + 2 * 3 + 1)

    def test_weights_that_stay_serve_every_phase(self):
        model = Model()

        def run(recorder):
            for step in range(2):
                with recorder.phase(f"rollout.decode{step}"), torch.inference_mode():
                    model(tokens(4, 1, seed=step))
            loss(model(tokens())).backward()

        trace = self.trace_of(model, run, layers=r"down_proj")
        uses = trace.find(layer="layers.1.down_proj")
        self.assertEqual([record["phase"] for record in uses],
                         ["rollout.decode0", "rollout.decode1", "train", "train", "train"])
        weights = {tuple(record["b"]) for record in uses if record["gemm"] != "wgrad"}
        self.assertEqual(len(weights), 1)

    def test_a_changed_weight_is_stored_again(self):
        model = Model()

        def run(_):
            with torch.no_grad():
                model(tokens())
                model.lm_head.weight.data[3, 5] += 1  # behind the back of the version counter
                model(tokens())

        trace = self.trace_of(model, run, layers=["lm_head"])
        first, second = trace.records
        self.assertEqual(first["a"], second["a"])
        self.assertNotEqual(first["b"], second["b"])
        change = trace.operand(second, "b") - trace.operand(first, "b")
        self.assertEqual(change.nonzero().tolist(), [[3, 5]])

    def test_tied_weights(self):
        class Tied(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.a = torch.nn.Linear(32, 32)
                self.b = torch.nn.Linear(32, 32, bias=False)
                self.b.weight = self.a.weight

            def forward(self, x):
                return self.b(self.a(x))

        model = Tied()
        trace = self.trace_of(model, lambda _: model(torch.randn(8, 32)).sum().backward())
        self.assertEqual(len({tuple(record["b"]) for record in trace.find(gemm="fprop")}), 1)
        # The weight gradients add up; each product is a GEMM of its own.
        products = trace.find(gemm="wgrad")
        a = torch.cat([trace.operand(record, "a") for record in products]).t()
        self.assert_product(a, torch.cat([trace.operand(record, "b") for record in products]),
                            model.a.weight.grad)

    def test_a_head_tied_to_the_embedding(self):
        model = Model(tied=True)
        trace = self.trace_of(model, lambda _: loss(model(tokens())).backward(), layers=["lm_head"])
        self.assertTrue(torch.equal(trace.operand(trace.one(gemm="fprop"), "b"),
                                    model.embedding.weight))
        self.assertEqual([record["quantize"] for record in trace.records], [False] * 3)

    def test_files_go_on_in_the_next_one(self):
        store = OperandStore(self.root, shard_bytes=1000)
        written = {store.put("x", torch.full((n, 7), float(n))): n for n in range(1, 40)}
        for n in range(1, 99):
            written[store.put("name" * 200 + str(n), torch.full((n,), 2.0).bfloat16())] = -n
        self.assertEqual(store.put("again", torch.full((39, 7), 39.0)), list(written)[38])
        self.assertTrue(torch.equal(store.get(list(written)[0]), torch.full((1, 7), 1.0)))
        store.close()
        with open(os.path.join(self.root, "gemms.jsonl"), "x", encoding="utf-8"):
            pass  # the reader wants one
        tensors = Trace(self.root).tensors
        self.assertEqual(set(tensors), set(written))
        self.assertGreater(len({file for file, _ in written if file.startswith("f32")}), 10)
        self.assertGreater(len({file for file, _ in written if file.startswith("bf16")}), 1)
        for reference, n in written.items():
            shape, value = ((n, 7), float(n)) if n > 0 else ((-n,), 2.0)
            self.assertTrue(torch.equal(tensors[reference].float(), torch.full(shape, value)))


if __name__ == "__main__":
    unittest.main()
