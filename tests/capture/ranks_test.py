# SPDX-License-Identifier: Apache-2.0
"""Several processes: a folder each."""
import os
import unittest

import torch
from support import CaptureTest, Trace

from nibblecore_capture import capture


def capture_alone(path, **arguments):
    """Captures one product."""
    model = torch.nn.Sequential(torch.nn.Linear(4, 4))
    with capture(model, path, **arguments):
        model(torch.ones(2, 4))


def capture_in_group(rank, folder):
    """What one of two processes does."""
    store = torch.distributed.FileStore(os.path.join(folder, "store"), 2)
    torch.distributed.init_process_group("gloo", store=store, rank=rank, world_size=2)
    capture_alone(os.path.join(folder, "trace"))
    torch.distributed.destroy_process_group()


class RanksTest(CaptureTest):
    def test_given(self):
        for rank in (0, 11):
            capture_alone(self.path, rank=rank)
        self.assertEqual(sorted(os.listdir(self.path)), ["rank0", "rank11"])
        self.assertEqual(Trace(os.path.join(self.path, "rank11")).records[0]["rank"], 11)

    def test_none(self):
        capture_alone(self.path)
        self.assertNotIn("rank", Trace(self.path).records[0])

    def test_of_torch_distributed(self):
        torch.multiprocessing.start_processes(capture_in_group, (self.root,), nprocs=2,
                                              start_method="fork")
        self.assertEqual(sorted(os.listdir(self.path)), ["rank0", "rank1"])
        for rank in (0, 1):
            self.assertEqual(Trace(os.path.join(self.path, f"rank{rank}")).records[0]["rank"], rank)


if __name__ == "__main__":
    unittest.main()
