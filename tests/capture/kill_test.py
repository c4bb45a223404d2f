# SPDX-License-Identifier: Apache-2.0
"""kill -9 leaves a whole trace or none."""
import os
import shutil
import signal
import time
import unittest

import torch
from support import CaptureTest, Model, Trace, loss, tokens

from nibblecore_capture import capture

# Children are forked: they must not meet a pool of threads that the parent had.
torch.set_num_threads(1)


def capture_for_ever(root):
    """One capture after another."""
    model = Model()
    number = 0
    while True:
        with capture(model, os.path.join(root, str(number))):
            loss(model(tokens())).backward()
        number += 1


def capture_two():
    """A capture of two GEMMs, with tensors of both types."""
    model = torch.nn.Sequential(torch.nn.Linear(4, 4))
    with capture(model, "trace") as recorder, torch.no_grad():
        model(torch.ones(2, 4))
        recorder.observe("half", torch.ones(2, 4).bfloat16(), torch.ones(3, 4).bfloat16(),
                         torch.ones(2, 3))


def die_at(count):
    """From now on the call number `count` of fsync or rename kills the process instead."""
    left = [count]

    def deadly(call):
        def wrapper(*arguments):
            left[0] -= 1
            if left[0] == 0:
                os.kill(os.getpid(), signal.SIGKILL)
            return call(*arguments)
        return wrapper

    os.fsync, os.rename = deadly(os.fsync), deadly(os.rename)


class KillTest(CaptureTest):
    def fork(self, work):
        """The process number of a child that does this and then ends."""
        child = os.fork()
        if child == 0:
            try:
                os.chdir(self.root)
                work()
                os._exit(0)
            finally:
                os._exit(1)
        return child

    def take_traces(self, gemms):
        """Checks and deletes what the child left: how many traces and how many parts."""
        traces = parts = 0
        for name in os.listdir(self.root):
            folder = os.path.join(self.root, name)
            if name.startswith("."):
                parts += 1
            else:
                trace = Trace(folder)
                self.assertEqual([record["id"] for record in trace.records], list(range(gemms)))
                for record in trace.records:
                    self.assertEqual(trace.operand(record, "a").shape[1 - record["ta"]],
                                     record["K"])
                    self.assertEqual(trace.operand(record, "b").shape[record["tb"]], record["K"])
                traces += 1
            shutil.rmtree(folder)
        return traces, parts

    def test_at_any_moment(self):
        traces = parts = 0
        for trial in range(20):
            child = self.fork(lambda: capture_for_ever(self.root))
            # In no ratio to the time of a capture, so that every kill hits another place.
            time.sleep(0.02 + 0.011 * trial)
            os.kill(child, signal.SIGKILL)
            _, status = os.waitpid(child, 0)
            self.assertTrue(os.WIFSIGNALED(status))
            whole, partial = self.take_traces(39)
            self.assertLessEqual(partial, 1)
            traces, parts = traces + whole, parts + partial
        self.assertGreater(traces, 0)
        self.assertGreater(parts, 0)

    def test_at_each_step_of_the_end(self):
        def run(count):
            die_at(count)
            capture_two()

        outcomes = []
        count = 0
        while not outcomes or outcomes[-1][0]:
            count += 1
            _, status = os.waitpid(self.fork(lambda: run(count)), 0)
            self.assertTrue(os.WIFSIGNALED(status) or os.WEXITSTATUS(status) == 0)
            outcomes.append((os.WIFSIGNALED(status), *self.take_traces(2)))
        # Two files of tensors, the manifest, the summary, the folder; the rename; the folder above.
        self.assertEqual(outcomes, [(True, 0, 1)] * 6 + [(True, 1, 0), (False, 1, 0)])


if __name__ == "__main__":
    unittest.main()
