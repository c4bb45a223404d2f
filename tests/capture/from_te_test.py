# SPDX-License-Identifier: Apache-2.0
"""Dumps of TransformerEngine become traces."""
import contextlib
import io
import os
import subprocess
import sys
import unittest

import torch
from support import CaptureTest, Trace

from nibblecore_capture import CaptureError
from nibblecore_capture.from_te import convert, main


class FromTeTest(CaptureTest):
    def setUp(self):
        super().setUp()
        self.log = os.path.join(self.root, "log")
        torch.manual_seed(4)
        self.x, self.w = torch.randn(2, 5, 8).bfloat16(), torch.randn(6, 8).bfloat16()
        self.dy = torch.randn(2, 5, 6)

    def dump(self, file, tensor, rank=0, key="high_precision"):
        path = os.path.join(self.log, "tensor_dumps", f"rank_{rank}", file)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        torch.save({key: tensor}, path)

    def test_both_layouts(self):
        for rank, form in enumerate(("iter_000100/{}_{}.pt", "{}_{}_iter_000100.pt")):
            for layer in ("layers.10.fc1", "layers.2.fc1_weight"):
                for name, tensor in (("activation", self.x), ("weight", self.w),
                                     ("gradient", self.dy), ("output", self.dy), ("dgrad", self.x)):
                    self.dump(form.format(layer, name), tensor, rank)
        convert(self.log, self.path)
        for rank in (0, 1):
            trace = Trace(os.path.join(self.path, f"rank{rank}"))
            self.assertEqual([(r["layer"], r["gemm"], r["step"], r["rank"], r["M"], r["N"], r["K"])
                              for r in trace.records],
                             [(layer, kind, 100, rank, *sizes)
                              for layer in ("layers.2.fc1_weight", "layers.10.fc1")
                              for kind, sizes in (("fprop", (10, 6, 8)), ("dgrad", (10, 8, 6)),
                                                  ("wgrad", (6, 8, 10)))])
            wgrad = trace.records[2]
            self.assertTrue(torch.equal(trace.operand(wgrad, "a"), self.dy.reshape(10, 6)))
            self.assertTrue(torch.equal(trace.operand(wgrad, "b"), self.x.reshape(10, 8)))
            self.assertTrue(torch.equal(trace.operand(trace.records[0], "b"), self.w))

    def test_missing_tensors_leave_gemms_out(self):
        self.dump("a_activation_iter_000001.pt", self.x)
        self.dump("a_gradient_iter_000001.pt", self.dy)
        self.dump("b_weight_iter_000001.pt", self.w)
        self.dump("b_gradient_iter_000001.pt", self.dy)
        self.dump("c_weight_iter_000001.pt", self.w)
        self.dump("c_activation_iter_000001.pt", self.x)
        self.dump("c_activation_iter_000002.pt", self.x)
        counts = convert(self.log, self.path)[os.path.join(self.path, "rank0")]
        self.assertEqual(counts,
                         {"GEMMs": 3, "fprop without weight": 2, "fprop without activation": 1,
                                  "dgrad without weight": 2, "dgrad without gradient": 2,
                                  "wgrad without activation": 1, "wgrad without gradient": 2})
        trace = Trace(os.path.join(self.path, "rank0"))
        self.assertEqual([(r["layer"], r["gemm"]) for r in trace.records],
                         [("a", "wgrad"), ("b", "dgrad"),
                                                                            ("c", "fprop")])

    def test_mistakes_are_named(self):
        with self.assertRaisesRegex(CaptureError, "tensor_dumps: is no folder"):
            convert(self.log, self.path)
        self.dump("a_weight_iter_000001.pt", self.w, key="quantized")
        with self.assertRaisesRegex(CaptureError,
                                    "a_weight_iter_000001.pt: has no tensor high_precision"):
            convert(self.log, self.path)
        self.dump("a_weight_iter_000001.pt", slice)
        with self.assertRaisesRegex(CaptureError,
                                    "a_weight_iter_000001.pt: holds more than plain tensors"):
            convert(self.log, self.path)
        self.assertEqual([os.listdir(path) for path in (self.path,)], [[]])

    def test_command(self):
        self.dump("iter_000003/lm_head_activation.pt", torch.randn(200, 8))
        self.dump("iter_000003/lm_head_weight.pt", self.w)
        words = [self.log, "-o", self.path, "--max-rows", "64"]
        result = subprocess.run([sys.executable, "-m", "nibblecore_capture.from_te", *words],
                                capture_output=True, text=True, check=True)
        self.assertIn("rank0: 1 GEMMs, 1 dgrad without gradient", result.stdout)
        record = Trace(os.path.join(self.path, "rank0")).records[0]
        self.assertEqual((record["M"], record["tokens"], record["quantize"]), (64, 200, False))
        with contextlib.redirect_stderr(io.StringIO()) as errors:
            self.assertEqual(main(words), 2)
        self.assertRegex(errors.getvalue(), "from_te: .*rank0: exists already")


if __name__ == "__main__":
    unittest.main()
