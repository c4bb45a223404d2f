// SPDX-License-Identifier: Apache-2.0
#include "tb/sweep/pareto.hpp"

#include <gtest/gtest.h>

namespace nibblecore::tb {
namespace {

/// A row whose noise is 1 of `signal`.
SweepRow row(std::optional<int64_t> cycles, double bits, double signal) {
  SweepRow made;
  made.total.cycles = cycles;
  made.storage.a.values = 1;
  made.storage.a.bits = bits;
  if (signal > 0) {
    made.total.noise.add(0, 1);
    made.total.noise.add(signal, signal);
  }
  return made;
}

std::vector<bool> marked(std::vector<SweepRow> rows) {
  mark_pareto(rows);
  std::vector<bool> marks;
  for (const SweepRow& each : rows) {
    marks.push_back(each.is_pareto);
  }
  return marks;
}

using Marks = std::vector<bool>;

TEST(Dominates, NeedsOneStrictAdvantage) {
  EXPECT_TRUE(dominates({1, 2}, {2, 2}));
  EXPECT_TRUE(dominates({1, 3}, {1, 2}));
  EXPECT_FALSE(dominates({1, 2}, {1, 2}));
  EXPECT_FALSE(dominates({1, 1}, {2, 2}));
  EXPECT_FALSE(dominates({std::nullopt, 9}, {2, 2}));
  EXPECT_FALSE(dominates({1, std::nullopt}, {2, 2}));
}

TEST(Pareto, OfCycles) {
  EXPECT_EQ(marked({row(10, 4, 2), row(11, 4, 2), row(12, 4, 3), row(9, 9, 1)}),
            (Marks{true, false, true, true}));
}

TEST(Pareto, EqualRowsAreAllOnTheFront) {
  EXPECT_EQ(marked({row(10, 4, 2), row(10, 5, 2)}), (Marks{true, true}));
}

TEST(Pareto, RowsWithoutCyclesAreHeldToAllInBits) {
  // The first is dominated in bits by a row with cycles; the second dominates none of those.
  EXPECT_EQ(marked({row(std::nullopt, 5, 2), row(std::nullopt, 3, 9), row(10, 4, 2)}),
            (Marks{false, true, true}));
}

TEST(Pareto, RowsWithoutASignalTakeNoPart) {
  EXPECT_EQ(marked({row(1, 1, 0), row(10, 4, 2)}), (Marks{false, true}));
}

}  // namespace
}  // namespace nibblecore::tb
