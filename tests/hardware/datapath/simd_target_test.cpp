// SPDX-License-Identifier: Apache-2.0
#include "hw/datapath/simd_target.hpp"

#include <gtest/gtest.h>

#include "hw/datapath/simd_dispatch.hpp"
#include "tests/hardware/datapath/available_targets.hpp"

namespace nibblecore::hw {
namespace {

TEST(SimdTarget, TheBaselineIsAlwaysThereAndTheBestIsTheLastAvailable) {
  const std::vector<SimdTarget> targets = test::available_targets();
  ASSERT_FALSE(targets.empty());
  EXPECT_EQ(targets.front(), SimdTarget::kBaseline);
  EXPECT_EQ(best_simd_target(), targets.back());
}

TEST(SimdTarget, Names) {
  EXPECT_EQ(simd_target_name(SimdTarget::kBaseline), "baseline");
  EXPECT_EQ(simd_target_name(SimdTarget::kAvx2), "avx2");
  EXPECT_EQ(simd_target_name(SimdTarget::kAvx512), "avx512");
}

struct AddOne {
  [[gnu::always_inline]] static int run(const int& value) { return value + 1; }
};

TEST(SimdDispatch, RunsTheKernelOnEveryTargetAndRefusesOthers) {
  for (const SimdTarget target : test::available_targets()) {
    EXPECT_EQ(run_on<AddOne>(target, 41), 42);
  }
  EXPECT_THROW(run_on<AddOne>(static_cast<SimdTarget>(99), 41), InternalError);
}

}  // namespace
}  // namespace nibblecore::hw
