# SPDX-License-Identifier: Apache-2.0
"""The scripts, from outside: a few steps, their log, and the replay of what they captured."""
import json
import os
import subprocess
import tempfile
import unittest

from program import SOURCE, replay
from support import Trace

FOLDER = os.path.join(SOURCE, "scripts", "rl_example")
FEW = ("--warm-up-steps", "3", "--steps", "2", "--prompts", "4", "--samples", "2", "--problems", "6")


class RunTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = folder.name

    def run_script(self, name, *arguments, code=0):
        done = subprocess.run(["/usr/bin/python3", os.path.join(FOLDER, name), *arguments], capture_output=True,
                              text=True, check=False)
        self.assertEqual(done.returncode, code, done.stderr)
        return done.stdout if code == 0 else done.stderr

    def captured(self, name, *arguments):
        """Table, log and trace of a run."""
        log, trace = (os.path.join(self.root, name + suffix) for suffix in (".jsonl", "_trace"))
        table = self.run_script("run", *FEW, "--log", log, "--capture", trace, "--capture-prompts", "2",
                                "--capture-samples", "4", *arguments)
        with open(log, encoding="utf-8") as file:
            return table, file.read(), trace

    def test_trains_captures_and_replays(self):
        table, log, trace = self.captured("a", "--rollout-format", "mxfp4", "--residual", "2:4", "--train-format",
                                          "hif4")
        self.assertIn("rollout mxfp4+2:4, training hif4, 1 thread, seed 1", table)
        lines = [json.loads(line) for line in log.splitlines()]
        self.assertEqual([line.get("step") for line in lines], [0, 1, None])
        for line in lines[:2]:
            self.assertEqual(list(line), ["step", "reward", "kl", "gap_mean", "gap_max", "entropy", "length", "loss",
                                          "gradient_norm"])
            self.assertGreater(line["kl"], 0)
            self.assertTrue(1 <= line["length"] <= 4)
            self.assertIn(f"{line['kl']:.5f}", table)
        self.assertEqual({record["step"] for record in Trace(trace).records}, {2})
        totals = replay(trace, os.path.join(self.root, "report"), "--format", "hif4")["totals"]
        self.assertEqual(totals["gemms"], len(Trace(trace).records))
        self.assertEqual(totals["mismatches"], 0)
        self.assertGreater(totals["outputs"], 100_000)

    def test_the_same_run_gives_the_same_figures(self):
        _, first_log, first_trace = self.captured("a")
        _, second_log, second_trace = self.captured("b")
        self.assertEqual(first_log, second_log)
        for file in os.listdir(first_trace):
            with open(os.path.join(first_trace, file), "rb") as one, open(os.path.join(second_trace, file), "rb") as two:
                self.assertEqual(one.read(), two.read(), file)

    def test_compares_variants(self):
        table = self.run_script("compare", *FEW, "bf16/bf16", "mxfp4+dense/bf16").splitlines()
        self.assertEqual([line.split("  ")[0] for line in table],
                         ["rollout / training", "bf16 / bf16", "mxfp4+dense / bf16"])
        kl = [float(line.split()[-5]) for line in table[1:]]
        self.assertLess(kl[0], kl[1])

    def test_refuses_at_once_what_it_cannot_do(self):
        self.assertIn("exists", self.run_script("run", "--capture", self.root, code=2))
        self.assertIn("fp3", self.run_script("run", "--rollout-format", "fp3", code=2))
        self.assertIn("mxfp4+4:2", self.run_script("compare", "mxfp4+4:2/bf16", code=2))
        self.assertIn("--steps", self.run_script("run", "--steps", "0", code=2))


if __name__ == "__main__":
    unittest.main()
