# SPDX-License-Identifier: Apache-2.0
"""A captured step: its phases and shapes, and dY^T X against autograd's weight gradients."""
import unittest
from unittest import mock

import torch
from support import CaptureTest, Trace

from nibblecore_capture import capture
from rl_example import rollout
from rl_example.linear import Linear
from rl_example.model import Policy
from rl_example.numerics import Numerics
from rl_example.options import Options
from rl_example.step import run_step
from rl_example.task import Problem
from rl_example.train import random_numbers

PROBLEMS = [Problem(1, 2), Problem(30, 4), Problem(99, 98)]


class KeptGradients:
    """Stands for an optimizer: takes no step and leaves the gradients where they are."""

    def step(self):
        return torch.tensor(0.0)


class StepTest(CaptureTest):
    def run_captured(self, **changes):
        """The model, the figures and the trace of one step. Rewards are given, for an untrained model earns none."""
        torch.manual_seed(1)
        options = Options(samples=3)._replace(**changes)
        policy = Policy(options.config)
        policy.checkpointing = options.checkpointing
        rewards = (torch.arange(9) % 3 == 1).float()
        with mock.patch.object(rollout, "rewards", return_value=rewards), capture(policy, self.path) as recorder:
            figures = run_step(policy, KeptGradients(), PROBLEMS, options, random_numbers(1, 5), recorder.phase)
        return policy, figures, Trace(self.path)

    def check_gradients(self, policy, trace):
        """The layer adds products of BF16 numbers in FP32, K of them in any order, and rounds once: K u / (1 - K u)
        times the sum of magnitudes (Higham, 3.1), u = 2^-24, and half a unit of BF16."""
        layers = {name: module for name, module in policy.named_modules() if isinstance(module, Linear)}
        self.assertEqual(len(layers), 22)
        for name, module in layers.items():
            with self.subTest(layer=name):
                record = trace.one(phase="train", layer=name, gemm="wgrad")
                dy, x = (trace.operand(record, which).double() for which in ("a", "b"))
                exact = dy.t() @ x
                terms = record["K"] * 2.0**-24
                bound = terms / (1 - terms) * (dy.abs().t() @ x.abs())
                bound = bound + 2.0**-8 * (exact.abs() + bound)
                self.assertTrue(bool(((module.weight.grad.double() - exact).abs() <= bound).all()))
                self.assertGreater(float(exact.abs().max()), 0)

    def test_gradients_are_those_of_the_captured_operands(self):
        policy, _, trace = self.run_captured()
        self.check_gradients(policy, trace)

    def test_gradients_with_checkpointing(self):
        policy, _, trace = self.run_captured(checkpointing=True)
        self.check_gradients(policy, trace)
        again = trace.find(phase="train.recompute")
        self.assertEqual(len(again), 21)  # all but the head

    def test_phases_and_shapes(self):
        _, figures, trace = self.run_captured()
        tokens = {}
        for record in trace.find(gemm="fprop", layer="model.layers.0.self_attn.q_proj"):
            tokens[record["phase"]] = record["M"]
        self.assertEqual(tokens.pop("rollout.prefill"), 3 * 6)
        self.assertEqual(tokens.pop("logprob"), 9 * 10)
        self.assertEqual(tokens.pop("train"), 9 * 10)
        # Sequences that have ended are decoded no further; a response has one token more than decode steps.
        decoded = [tokens.pop(f"rollout.decode{i}", 0) for i in range(3)]
        self.assertEqual(tokens, {})
        self.assertEqual(decoded, sorted(decoded, reverse=True))
        self.assertAlmostEqual(figures.length, 1 + sum(decoded) / 9, places=5)
        head = trace.one(phase="rollout.prefill", layer="lm_head")
        self.assertEqual((head["M"], head["N"], head["K"], head["quantize"]), (3, 13, 80, False))
        self.assertEqual(trace.one(phase="train", layer="lm_head", gemm="wgrad")["K"], 90)

    def test_two_policies_of_one_numerics_agree_and_of_two_do_not(self):
        four_bits = Numerics("mxfp4")
        # Between equal numerics the order of additions, which may follow M, is all that can differ.
        for changes, low, high in (({}, -1e-6, 1e-3), ({"rollout": four_bits}, 1e-2, 1),
                                   ({"rollout": four_bits, "training": four_bits}, -1e-6, 1e-3)):
            self.path += "x"
            _, figures, _ = self.run_captured(**changes)
            self.assertGreater(figures.kl, low)
            self.assertLess(figures.kl, high)
            self.assertGreaterEqual(figures.gap_max, figures.gap_mean)

    def test_the_residual_brings_the_rollout_nearer(self):
        gaps = []
        for residual in ("none", "2:4", "dense"):
            self.path += "x"
            _, figures, _ = self.run_captured(rollout=Numerics("mxfp4", residual))
            gaps.append(figures.kl)
        self.assertLess(gaps[1], gaps[0])
        self.assertLess(gaps[2], gaps[0])


if __name__ == "__main__":
    unittest.main()
