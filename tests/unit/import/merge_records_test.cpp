// SPDX-License-Identifier: Apache-2.0
#include "model/import/merge_records.hpp"

#include <functional>

#include <gtest/gtest.h>

namespace nibblecore {
namespace {

GemmRecord record(int64_t m) {
  GemmRecord result;
  result.id = 77;
  result.layer = "l";
  result.phase = "train";
  result.m = m;
  result.n = 2;
  result.k = 3;
  return result;
}

TEST(MergeRecords, EqualOnesAreCounted) {
  const auto merged = merge_records({record(1), record(2), record(1), record(1)}, Merge::kLayer);
  ASSERT_EQ(merged.size(), 2U);
  EXPECT_EQ(merged[0].m, 1);
  EXPECT_EQ(merged[0].count, 3);
  EXPECT_EQ(merged[0].id, 0);
  EXPECT_EQ(merged[1].count, 1);
  EXPECT_EQ(merged[1].id, 1);
}

TEST(MergeRecords, NoneMeansNone) {
  const auto merged = merge_records({record(1), record(1)}, Merge::kNone);
  ASSERT_EQ(merged.size(), 2U);
  EXPECT_EQ(merged[1].id, 1);
}

TEST(MergeRecords, EveryFieldTellsRecordsApart) {
  const std::vector<std::function<void(GemmRecord&)>> changes{
      [](GemmRecord& r) { r.phase = "logprob"; },
      [](GemmRecord& r) { r.layer = "k"; },
      [](GemmRecord& r) { r.kind = GemmKind::kWgrad; },
      [](GemmRecord& r) { r.m = 9; },
      [](GemmRecord& r) { r.n = 9; },
      [](GemmRecord& r) { r.k = 9; },
      [](GemmRecord& r) { r.batch = 9; },
      [](GemmRecord& r) { r.quantize = true; },
      [](GemmRecord& r) { r.transpose_a = Transpose::kYes; },
      [](GemmRecord& r) { r.transpose_b = Transpose::kYes; },
      [](GemmRecord& r) { r.step = 0; },
      [](GemmRecord& r) { r.rank = 0; },
      [](GemmRecord& r) { r.expert = 0; }};
  std::vector<GemmRecord> records{record(1)};
  for (const auto& change : changes) {
    records.push_back(record(1));
    change(records.back());
  }
  EXPECT_EQ(merge_records(records, Merge::kLayer).size(), records.size());
}

// A manifest refuses what leaves 64 bits.
TEST(MergeRecords, CountsStayWithin64Bits) {
  GemmRecord large = record(int64_t{1} << 60);
  large.n = large.k = 1;
  const auto merged = merge_records(std::vector<GemmRecord>(10, large), Merge::kLayer);
  ASSERT_EQ(merged.size(), 2U);
  EXPECT_EQ(merged[0].count, 7);
  EXPECT_EQ(merged[1].count, 3);
}

}  // namespace
}  // namespace nibblecore
