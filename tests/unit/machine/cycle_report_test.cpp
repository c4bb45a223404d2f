// SPDX-License-Identifier: Apache-2.0
#include "model/machine/cycle_report.hpp"

#include <limits>
#include <set>

#include <gtest/gtest.h>

#include "model/common/error.hpp"

namespace nibblecore {
namespace {

CycleReport some_report() {
  CycleReport report;
  report.total = 100;
  report[Unit::kMemoryPort] = {10, {0, 0, 20, 30, 0, 0, 0}, 40};
  report[Unit::kMoveA] = {1, {2, 0, 0, 3, 0, 0, 0}, 94};
  report[Unit::kMoveB] = {4, {0, 5, 0, 6, 0, 0, 0}, 85};
  report[Unit::kArray] = {7, {1, 2, 0, 3, 4, 5, 6}, 72};
  report.steps = {1, 2, 3, 4, 5};
  report.quantized_blocks = 8;
  report.loaded_bytes = 9;
  report.stored_bytes = 11;
  return report;
}

TEST(UnitCycles, TotalHoldsEveryCause) {
  EXPECT_EQ(UnitCycles{}.total(), 0);
  const UnitCycles cycles{1, {2, 4, 8, 16, 32, 64, 128}, 256};
  EXPECT_EQ(cycles.stalled(), 254);
  EXPECT_EQ(cycles.total(), 511);
}

TEST(UnitCycles, EqualInEveryCause) {
  const UnitCycles cycles{1, {2, 4, 8, 16, 32, 64, 128}, 256};
  EXPECT_EQ(cycles, cycles);
  EXPECT_FALSE(cycles == (UnitCycles{0, cycles.stalls, 256}));
  EXPECT_FALSE(cycles == (UnitCycles{1, cycles.stalls, 255}));
  for (size_t cause = 0; cause < cycles.stalls.size(); ++cause) {
    UnitCycles other = cycles;
    ++other.stalls[cause];
    EXPECT_FALSE(cycles == other) << cause;
  }
}

TEST(CycleReport, StepsOfAllKinds) { EXPECT_EQ(some_report().all_steps(), 15); }

TEST(CycleReport, AddsEveryFieldTimes) {
  CycleReport sum = some_report();
  sum.add(some_report(), 2);
  CycleReport expected;
  expected.total = 300;
  expected[Unit::kMemoryPort] = {30, {0, 0, 60, 90, 0, 0, 0}, 120};
  expected[Unit::kMoveA] = {3, {6, 0, 0, 9, 0, 0, 0}, 282};
  expected[Unit::kMoveB] = {12, {0, 15, 0, 18, 0, 0, 0}, 255};
  expected[Unit::kArray] = {21, {3, 6, 0, 9, 12, 15, 18}, 216};
  expected.steps = {3, 6, 9, 12, 15};
  expected.quantized_blocks = 24;
  expected.loaded_bytes = 27;
  expected.stored_bytes = 33;
  EXPECT_EQ(sum, expected);
}

TEST(CycleReport, SumsThatLeave64BitsAreRefused) {
  CycleReport sum = some_report();
  EXPECT_THROW(sum.add(some_report(), std::numeric_limits<int64_t>::max() / 50), InputError);
  CycleReport large;
  large.loaded_bytes = std::numeric_limits<int64_t>::max();
  CycleReport other;
  other.loaded_bytes = 1;
  EXPECT_THROW(large.add(other, 1), InputError);
}

TEST(RequireBalanced, EveryUnitSumsToTheTotal) {
  EXPECT_NO_THROW(require_balanced(some_report()));
  for (int unit = 0; unit < kUnits; ++unit) {
    CycleReport report = some_report();
    ++report[static_cast<Unit>(unit)].stalls[static_cast<size_t>(StallCause::kPipeline)];
    EXPECT_THROW(require_balanced(report), InternalError) << unit;
  }
}

TEST(NameOf, UnitsAndCausesHaveNamesOfTheirOwn) {
  EXPECT_EQ(name_of(Unit::kMemoryPort), "memory_port");
  EXPECT_EQ(name_of(Unit::kArray), "array");
  EXPECT_EQ(name_of(StallCause::kOperandA), "operand_a");
  EXPECT_EQ(name_of(StallCause::kPipeline), "pipeline");
  std::set<std::string_view> names;
  for (int unit = 0; unit < kUnits; ++unit) {
    names.insert(name_of(static_cast<Unit>(unit)));
  }
  for (int cause = 0; cause < kStallCauses; ++cause) {
    names.insert(name_of(static_cast<StallCause>(cause)));
  }
  EXPECT_EQ(names.size(), static_cast<size_t>(kUnits + kStallCauses));
}

}  // namespace
}  // namespace nibblecore
