# SPDX-License-Identifier: Apache-2.0
"""Sampling keeps whole aligned groups of 64 tokens."""
import unittest

import torch
from support import CaptureTest, Model, Trace, loss, tokens

from nibblecore_capture import CaptureError, capture
from nibblecore_capture.sampling import kept_rows


class SamplingTest(CaptureTest):
    def test_rows_are_whole_groups(self):
        for count in list(range(1, 700)) + [4096, 16384, 16385]:
            for max_rows in (64, 128, 320):
                rows = kept_rows(count, max_rows)
                kept = sum(end - begin for begin, end in rows)
                self.assertLessEqual(kept, max_rows)
                self.assertEqual(rows, sorted(set(rows)))
                if count <= max_rows:
                    self.assertEqual(rows, [(0, count)])
                    continue
                self.assertEqual(len(rows), max_rows // 64)
                for begin, end in rows:
                    self.assertEqual(begin % 64, 0)
                    self.assertTrue(end - begin == 64 or end == count, (count, rows))
        self.assertEqual(kept_rows(1000, None), [(0, 1000)])
        # Spread over the whole: one from the middle of each quarter.
        self.assertEqual(kept_rows(1024, 256), [(128, 192), (384, 448), (640, 704), (896, 960)])

    def test_a_short_group_can_only_be_the_last(self):
        self.assertEqual(kept_rows(3 * 64 + 5, 192), [(0, 64), (128, 192), (192, 197)])

    def test_bad_bounds_are_refused(self):
        for bound in (0, -64, 63, 100, 64.0):
            with self.assertRaisesRegex(CaptureError, "max_rows.*64"):
                with capture(Model(), self.path, max_rows=bound):
                    pass
        self.assert_nothing_left()

    def test_blocks_of_the_weight_gradient_stay(self):
        length = 7 * 64 + 10
        paths = self.path + "-all", self.path + "-some"
        for path, max_rows in zip(paths, (None, 192)):
            model = Model()
            with capture(model, path, max_rows=max_rows):
                loss(model(tokens(1, length))).backward()
        full, some = map(Trace, paths)
        self.assertEqual(len(some.records), len(full.records))
        groups = [begin // 64 for begin, _ in kept_rows(length, 192)]
        self.assertEqual(groups, [1, 4, 6])
        for whole, record in zip(full.records, some.records):
            self.assertEqual({**whole, **{k: record[k] for k in ("M", "K", "a", "b")},
                              "tokens": length}, record)
            tokens_field = "K" if record["gemm"] == "wgrad" else "M"
            self.assertEqual((whole[tokens_field], record[tokens_field]), (length, 192))
            for which in ("a", "b") if record["gemm"] == "wgrad" else ("a",):
                kept, all_rows = some.operand(record, which), full.operand(whole, which)
                for place, group in enumerate(groups):
                    self.assertTrue(torch.equal(kept[64 * place:64 * place + 64],
                                                all_rows[64 * group:64 * group + 64]))
            if record["gemm"] != "wgrad":
                self.assertTrue(torch.equal(some.operand(record, "b"), full.operand(whole, "b")))

    def test_batches_are_sampled_alike(self):
        weight = torch.randn(2, 8, 16, requires_grad=True)
        x = torch.randn(2, 300, 16)
        with capture(torch.nn.Linear(1, 1), self.path, max_rows=64) as recorder:
            y = x @ weight.transpose(1, 2)
            recorder.observe("experts", x, weight, y)
            y.sum().backward()
        trace = Trace(self.path)
        record = trace.one(gemm="wgrad")
        self.assertEqual((record["batch"], record["K"], record["tokens"]), (2, 64, 300))
        begin, end = kept_rows(300, 64)[0]
        self.assertTrue(torch.equal(trace.operand(record, "b"), x[:, begin:end]))
        self.assertEqual(list(trace.operand(record, "a").shape), [2, 64, 8])


if __name__ == "__main__":
    unittest.main()
