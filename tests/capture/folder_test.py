# SPDX-License-Identifier: Apache-2.0
"""A trace appears whole or not at all, however the block ends."""
import os
import resource
import unittest

import torch
from support import CaptureTest, Model, Trace, loss, tokens

from nibblecore_capture import CaptureError, CaptureWarning, capture

class FolderTest(CaptureTest):
    def test_appears_when_the_block_ends(self):
        model = Model()
        with capture(model, self.path + "/"):
            model(tokens())
            self.assertFalse(os.path.exists(self.path))
        self.assertEqual(os.listdir(self.root), ["trace"])
        self.assertEqual(sorted(os.listdir(self.path)),
                         ["capture.json", "f32-00000.safetensors", "gemms.jsonl"])
        self.assertEqual(len(Trace(self.path).records), 13)

    def test_exceptions_leave_nothing_and_go_on(self):
        for kind in (ValueError, KeyboardInterrupt, SystemExit):
            model = Model()
            with self.assertRaises(kind):
                with capture(model, self.path):
                    loss(model(tokens())).backward()
                    raise kind("stop")
            self.assert_nothing_left()
            self.assertEqual([m for m in model.modules() if m._forward_hooks], [])

    def test_a_failing_callback_leaves_nothing(self):
        def fail(_):
            raise ValueError("callback")

        model = Model()
        with self.assertRaisesRegex(ValueError, "callback"):
            with capture(model, self.path, callback=fail):
                model(tokens())
        self.assert_nothing_left()

    def test_an_error_that_is_caught_spoils_the_trace(self):
        def fail(_):
            raise ValueError("callback")

        model = Model()
        with self.assertRaisesRegex(CaptureError, "trace: an error while capturing was caught"):
            with capture(model, self.path, callback=fail):
                with self.assertRaises(ValueError):
                    model(tokens())
        self.assert_nothing_left()

    def test_a_full_disk_leaves_nothing(self):
        soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
        model = Model()
        with self.assertRaisesRegex(CaptureError, "an error while capturing was caught"):
            with capture(model, self.path):
                model(tokens(1, 2))
                resource.setrlimit(resource.RLIMIT_FSIZE, (200_000, hard))
                try:
                    with self.assertRaises(OSError):
                        model(tokens(20, 50))
                finally:
                    resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
                model(tokens())
        self.assert_nothing_left()

    def test_a_backward_pass_behind_the_block_is_not_captured(self):
        model = Model()
        with capture(model, self.path):
            result = loss(model(tokens()))
        result.backward()
        self.assertEqual({record["gemm"] for record in Trace(self.path).records}, {"fprop"})

    def test_never_overwrites(self):
        model = Model()
        os.mkdir(self.path)
        with capture(model, self.path):  # an empty folder is as good as none
            model(tokens())
        before = Trace(self.path).records
        with self.assertRaisesRegex(CaptureError, "trace: exists already"):
            with capture(model, self.path):
                self.fail("began")
        other = os.path.join(self.root, "file")
        with self.assertRaisesRegex(CaptureError, "other: exists already"):
            with capture(model, os.path.join(self.root, "other")):
                model(tokens())
                os.makedirs(os.path.join(self.root, "other", "taken"))
        with open(other, "w", encoding="utf-8"):
            pass
        with self.assertRaisesRegex(CaptureError, "file: exists already"):
            with capture(model, other):
                self.fail("began")
        self.assertEqual(Trace(self.path).records, before)
        self.assertEqual(sorted(os.listdir(self.root)), ["file", "other", "trace"])

    def test_nothing_captured_is_no_trace(self):
        with self.assertWarnsRegex(CaptureWarning, "nothing was captured"):
            with capture(Model(), self.path, steps=[7]):
                pass
        self.assert_nothing_left()

    def test_folders_above_are_made(self):
        path = os.path.join(self.root, "a", "b")
        with capture(torch.nn.Sequential(torch.nn.Linear(4, 4)), path) as recorder:
            recorder.observe("x", torch.ones(1, 4), torch.ones(2, 4), torch.ones(1, 2))
        self.assertEqual(len(Trace(path).records), 1)


if __name__ == "__main__":
    unittest.main()
