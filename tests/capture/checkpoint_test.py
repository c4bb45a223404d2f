# SPDX-License-Identifier: Apache-2.0
"""Recomputed products: a phase of their own, and no second copy of the operands."""
import unittest

import torch
from support import LINEAR, CaptureTest, Model, Trace, loss, tokens

from nibblecore_capture import capture


class CheckpointTest(CaptureTest):
    def traces(self, reentrant):
        paths = self.path + "-plain", self.path + "-checkpointed"
        for path, mode in zip(paths, (None, reentrant)):
            model = Model(reentrant=mode)
            with capture(model, path) as recorder:
                with recorder.phase("train"):
                    loss(model(tokens())).backward()
        return [Trace(path) for path in paths]

    def check(self, reentrant):
        plain, checkpointed = self.traces(reentrant)
        again = checkpointed.find(phase="train.recompute")
        self.assertEqual(sorted(record["layer"] for record in again), sorted(LINEAR))
        self.assertEqual({record["gemm"] for record in again}, {"fprop"})
        for record in again:
            first = checkpointed.one(phase="train", layer=record["layer"], gemm="fprop")
            self.assertEqual((record["a"], record["b"]), (first["a"], first["b"]))
        self.assertEqual(checkpointed.find(phase="train.recompute", layer="lm_head"), [])
        self.assertEqual(len(checkpointed.find(phase="train")), len(plain.find(phase="train")))
        self.assertEqual(set(checkpointed.tensors), set(plain.tensors))
        for name, tensor in plain.tensors.items():
            self.assertTrue(torch.equal(tensor, checkpointed.tensors[name]), name)

    def test_reentrant(self):
        self.check(True)

    def test_by_saved_tensors(self):
        self.check(False)

    def test_recomputed_forward_can_be_recognised_from_autograd_grad(self):
        model = Model(reentrant=False)
        with capture(model, self.path, gemms=("fprop",)):
            torch.autograd.grad(loss(model(tokens())), [model.embedding.weight])
        self.assertEqual(len(Trace(self.path).find(phase="train.recompute")), len(LINEAR))


if __name__ == "__main__":
    unittest.main()
