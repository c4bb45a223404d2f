// SPDX-License-Identifier: Apache-2.0
#include "model/machine/step_times.hpp"

#include <limits>

#include <gtest/gtest.h>

#include "model/common/error.hpp"
#include "tests/unit/machine/random_programs.hpp"

namespace nibblecore {
namespace {

constexpr size_t kDense = static_cast<size_t>(StepKind::kDense);
constexpr size_t kSparse = static_cast<size_t>(StepKind::kSparse);

/// Additions of MXFP4 take 2 * `latency` a dense step, 4 * `latency` a sparse one.
Program program_of(StepOrder order, int64_t latency) {
  Machine machine = round_machine();
  machine.accumulate_latency = latency;
  return Program(machine,
                 {64, 64, 256, kMxfp4, OperandPath::kOnlineBf16, OperandPath::kPacked,
                  ResidualPattern::kTwoOfFour},
                 {4, 4, 4, LoopOrder::kRowsOuter, order});
}

PassCounts passes(int64_t dense, int64_t sparse, StepKind last) {
  PassCounts counts;
  counts.passes[kDense][0] = dense;
  counts.passes[kSparse][0] = sparse;
  counts.last = last;
  return counts;
}

TEST(CountPasses, OfAChunk) {
  const Program program = program_of(StepOrder::kTilesInner, 1);
  const PassCounts counts = count_passes(program, program.body({}));
  EXPECT_EQ(counts.passes[kDense][0], 4);
  EXPECT_EQ(counts.passes[kSparse][0], 2);
  EXPECT_EQ(counts.all(), 6);
  EXPECT_EQ(counts.last, StepKind::kSparse);
}

TEST(StepTimes, TilesHideTheAdditions) {
  const Program program = program_of(StepOrder::kTilesInner, 3);
  const StepTimes times = step_times(program, passes(4, 0, StepKind::kDense), 6);
  EXPECT_EQ(times.steps[kDense], 24);
  EXPECT_EQ(times.all_steps(), 24);
  EXPECT_EQ(times.last_issue, 23);
  EXPECT_EQ(times.accumulate_stall, 0);
  EXPECT_EQ(times.accumulators_free, 18 + 6);
  EXPECT_EQ(times.result, 23 + 3 + 6);
}

TEST(StepTimes, FewTilesWaitForTheAdditions) {
  const Program program = program_of(StepOrder::kTilesInner, 3);
  // Passes at 0, 6, 12 and 18, of five tiles each.
  const StepTimes times = step_times(program, passes(4, 0, StepKind::kDense), 5);
  EXPECT_EQ(times.last_issue, 22);
  EXPECT_EQ(times.accumulate_stall, 3);
  EXPECT_EQ(times.accumulators_free, 24);
  EXPECT_EQ(times.result, 22 + 3 + 6);
}

TEST(StepTimes, SparseStepsAddTwiceAsLong) {
  const Program program = program_of(StepOrder::kTilesInner, 3);
  // Dense at 0 and 8, sparse at 16, dense at 28 and 36, sparse at 44: of eight tiles each.
  const StepTimes times = step_times(program, passes(4, 2, StepKind::kSparse), 8);
  EXPECT_EQ(times.steps[kDense], 32);
  EXPECT_EQ(times.steps[kSparse], 16);
  EXPECT_EQ(times.last_issue, 51);
  EXPECT_EQ(times.accumulate_stall, 4);
  EXPECT_EQ(times.accumulators_free, 44 + 12);
  EXPECT_EQ(times.result, 51 + 3 + 12);
}

TEST(StepTimes, StepsInnerWaitsOnEveryTile) {
  const Program program = program_of(StepOrder::kStepsInner, 2);
  // On each tile at 0, 4 and 8, the next tile from 9 on.
  const StepTimes times = step_times(program, passes(3, 0, StepKind::kDense), 2);
  EXPECT_EQ(times.steps[kDense], 6);
  EXPECT_EQ(times.last_issue, 17);
  EXPECT_EQ(times.accumulate_stall, 2 * 6);
  EXPECT_EQ(times.accumulators_free, 17 + 4);
  EXPECT_EQ(times.result, 17 + 3 + 4);
}

TEST(StepTimes, OfOneStep) {
  for (const StepOrder order : {StepOrder::kTilesInner, StepOrder::kStepsInner}) {
    const StepTimes times = step_times(program_of(order, 5), passes(1, 0, StepKind::kDense), 1);
    EXPECT_EQ(times.last_issue, 0);
    EXPECT_EQ(times.accumulate_stall, 0);
    EXPECT_EQ(times.accumulators_free, 10);
    EXPECT_EQ(times.result, 13);
  }
}

TEST(StepTimes, ThatLeave64BitsAreRefused) {
  const int64_t huge = std::numeric_limits<int64_t>::max() / 4;
  for (const StepOrder order : {StepOrder::kTilesInner, StepOrder::kStepsInner}) {
    EXPECT_THROW(step_times(program_of(order, 1), passes(8, 0, StepKind::kDense), huge),
                 InputError);
    EXPECT_THROW(step_times(program_of(order, huge), passes(8, 0, StepKind::kDense), 1),
                 InputError);
  }
}

}  // namespace
}  // namespace nibblecore
