# SPDX-License-Identifier: Apache-2.0
"""The program replays what was captured: every output of the core has the bits of the reference."""
import json
import os
import subprocess
import unittest

import torch
from support import CaptureTest, Model, loss, tokens

from nibblecore_capture import capture

PROGRAM = os.environ["NIBBLECORE_PROGRAM"]


class ReplayTest(CaptureTest):
    def replay(self, *arguments):
        report = os.path.join(self.root, "report")
        result = subprocess.run([PROGRAM, "replay", self.path, "-o", report, *arguments],
                                capture_output=True, text=True, check=False)
        self.assertEqual(result.returncode, 0, result.stderr)
        with open(os.path.join(report, "report.json"), encoding="utf-8") as file:
            return json.load(file)

    def test_all_kinds_of_products(self):
        model = Model(reentrant=False)
        with capture(model, self.path, max_rows=64, outputs=True,
                     layers=r"layers\.0|lm_head") as recorder:
            with recorder.phase("rollout.prefill"), torch.inference_mode():
                model(tokens())
            with torch.autocast("cpu", dtype=torch.bfloat16):
                logits = model(tokens(2, 50))
            loss(logits).backward()
            weight = torch.randn(3, 24, 40, requires_grad=True)
            x = torch.randn(3, 9, 40, requires_grad=True)
            y = x @ weight.transpose(1, 2)
            recorder.observe("batched.experts", x, weight, y)
            y.sum().backward()
            y = x[0] @ weight[0].t()
            recorder.observe("grouped.experts", x[0], weight[:1], y, sizes=[9])
            y.sum().backward()
        report = self.replay("--format", "mxfp4")
        # Of 6 layers: rollout, forward, recomputed, two backward; of the two others three. The head
        # is not quantized.
        self.assertEqual(report["totals"]["quantized_gemms"], 6 * 5 + 2 * 3)
        self.assertEqual(report["totals"]["gemms"] - report["totals"]["quantized_gemms"], 4)
        self.assertEqual(report["totals"]["mismatches"], 0)
        self.assertGreater(report["totals"]["outputs"], 0)


if __name__ == "__main__":
    unittest.main()
