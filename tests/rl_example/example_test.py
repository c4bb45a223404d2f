# SPDX-License-Identifier: Apache-2.0
"""The stored trace: what its page says of it, and its replay."""
import collections
import os
import tempfile
import unittest

import torch
from program import EXAMPLE, FORMATS, replay
from support import Trace


class ExampleTest(unittest.TestCase):
    def test_every_bit_is_that_of_the_reference(self):
        trace = Trace(EXAMPLE)
        quantized = [record for record in trace.records if record["quantize"]]
        with tempfile.TemporaryDirectory() as root:
            for number_format in FORMATS:
                with self.subTest(number_format=number_format):
                    totals = replay(EXAMPLE, os.path.join(root, number_format), "--format", number_format)["totals"]
                    self.assertEqual(totals["gemms"], len(trace.records))
                    self.assertEqual(totals["quantized_gemms"], len(quantized))
                    self.assertEqual(totals["outputs"], sum(r["M"] * r["N"] for r in quantized))
                    self.assertEqual(totals["mismatches"], 0)

    def test_has_all_gemms_of_a_step(self):
        trace = Trace(EXAMPLE)
        groups = collections.Counter((record["phase"], record["gemm"]) for record in trace.records)
        rollout = ["rollout.prefill"] + [f"rollout.decode{i}" for i in range(3)]
        expected = {(phase, "fprop"): 22 for phase in [*rollout, "logprob", "train"]}
        expected.update({("train", "dgrad"): 22, ("train", "wgrad"): 22})
        self.assertEqual(groups, expected)
        self.assertEqual({tensor.dtype for tensor in trace.tensors.values()}, {torch.bfloat16})
        self.assertLess(sum(os.path.getsize(os.path.join(EXAMPLE, file)) for file in os.listdir(EXAMPLE)), 1_500_000)

    def test_some_gradients_are_there(self):
        trace = Trace(EXAMPLE)
        for record in trace.find(phase="train", gemm="wgrad"):
            self.assertGreater(trace.operand(record, "a").abs().max().item(), 0, record["layer"])
            self.assertEqual(record["K"], 90)


if __name__ == "__main__":
    unittest.main()
