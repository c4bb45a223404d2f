// SPDX-License-Identifier: Apache-2.0
#include "tb/fault/fault_effect.hpp"

#include <gtest/gtest.h>

#include "model/common/error.hpp"

namespace nibblecore::tb {
namespace {

TEST(FaultEffectTest, EqualResultsShowNone) {
  const std::vector<uint32_t> d{0x3F800000, 0x7FC00000};
  const FaultEffect effect = fault_effect(d, d);
  EXPECT_EQ(effect.outputs, 2);
  EXPECT_EQ(effect.changed, 0);
  EXPECT_EQ(effect.largest_ulp, 0U);
  EXPECT_FALSE(effect.decibels);
}

TEST(FaultEffectTest, ChangesAreCountedAndMeasured) {
  const FaultEffect effect = fault_effect({0x3F800000, 0x40000000, 0x40800000, 0x3F800000},
                                          {0x3F800003, 0x40000000, 0x7FC00000, 0x3F7FFFFF});
  EXPECT_EQ(effect.changed, 3);
  EXPECT_EQ(effect.largest_ulp, 3U);
  EXPECT_EQ(effect.nan_mismatches, 1);
  // 10 log10(17 / 1): 1, 4 and 0 against 2, 4 and 0.
  const FaultEffect noise = fault_effect({0x3F800000, 0x40800000, 0}, {0x40000000, 0x40800000, 0});
  ASSERT_TRUE(noise.decibels);
  EXPECT_EQ(static_cast<int>(*noise.decibels * 1000), 12304);
}

TEST(FaultEffectTest, SizesMustAgree) { EXPECT_THROW(fault_effect({0, 0}, {0}), InternalError); }

}  // namespace
}  // namespace nibblecore::tb
