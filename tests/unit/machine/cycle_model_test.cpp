// SPDX-License-Identifier: Apache-2.0
#include "model/machine/cycle_model.hpp"

#include <filesystem>

#include <gtest/gtest.h>

#include "model/common/error.hpp"
#include "model/trace/trace.hpp"

namespace nibblecore {
namespace {

constexpr int64_t kTwoTo35 = int64_t{1} << 35;

TEST(GemmSteps, OneStepUpToTheShapeOfTheCore) {
  EXPECT_EQ(gemm_steps(kDefaultCore, 1, 1, 1), 1);
  EXPECT_EQ(gemm_steps(kDefaultCore, 16, 16, 64), 1);
  EXPECT_EQ(gemm_steps(kDefaultCore, 17, 16, 64), 2);
  EXPECT_EQ(gemm_steps(kDefaultCore, 16, 17, 64), 2);
  EXPECT_EQ(gemm_steps(kDefaultCore, 16, 16, 65), 2);
}

TEST(GemmSteps, TilesTimesStepsAlongK) {
  EXPECT_EQ(gemm_steps(kDefaultCore, 17, 33, 129), 2 * 3 * 3);
  EXPECT_EQ(gemm_steps(kDefaultCore, 56, 128, 128), 4 * 8 * 2);
  EXPECT_EQ(gemm_steps(kDefaultCore, 4096, 4096, 4096), 4'194'304);
  EXPECT_EQ(gemm_steps(kDefaultCore, 16'384, 22'016, 2048), 45'088'768);
  const CoreDescription uneven{"uneven", 3, 5, 32, "test"};
  EXPECT_EQ(gemm_steps(uneven, 7, 11, 100), 3 * 3 * 4);
}

TEST(GemmSteps, OfARealTrace) {
  const Trace trace(std::filesystem::path(NIBBLECORE_TEST_DATA) / "tiny_grpo");
  int64_t steps = 0;
  for (const GemmRecord& record : trace.records()) {
    steps += gemm_steps(kDefaultCore, record.m, record.n, record.k) * record.count;
  }
  EXPECT_EQ(steps, 69'560);
}

TEST(GemmSteps, CountsPast64BitsAreRefused) {
  // 2^31 by 2^31 tiles are 2^62 steps for each 64 of K.
  EXPECT_EQ(gemm_steps(kDefaultCore, kTwoTo35, kTwoTo35, 64), int64_t{1} << 62);
  EXPECT_THROW(gemm_steps(kDefaultCore, kTwoTo35, kTwoTo35, 65), InputError);
  EXPECT_THROW(gemm_steps(kDefaultCore, 2 * kTwoTo35, kTwoTo35, 1), InputError);
  EXPECT_THROW(gemm_cycles(kDefaultCore, kTwoTo35, kTwoTo35, 65), InputError);
}

// Two stages stand before the array (sequencer, operand buffers) and two behind it (accumulator,
// store): a single step is in the array in cycle 3 of 5.
TEST(GemmCycles, OneStepTakesFiveCycles) {
  const CycleCounts cycles = gemm_cycles(kDefaultCore, 16, 16, 64);
  EXPECT_EQ(cycles, (CycleCounts{1, 2, 2, 0}));
  EXPECT_EQ(cycles.total(), 5);
}

TEST(GemmCycles, EveryFurtherStepTakesOne) {
  EXPECT_EQ(gemm_cycles(kDefaultCore, 17, 33, 129), (CycleCounts{18, 2, 2, 0}));
  EXPECT_EQ(gemm_cycles(kDefaultCore, 1, 1, 64'000), (CycleCounts{1000, 2, 2, 0}));
  EXPECT_EQ(gemm_cycles(kDefaultCore, 4096, 4096, 4096).total(), 4'194'308);
}

}  // namespace
}  // namespace nibblecore
