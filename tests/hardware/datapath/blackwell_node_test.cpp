// SPDX-License-Identifier: Apache-2.0
// The rules of the node one by one; every expected value follows from the rule alone.
#include "hw/datapath/blackwell_node.hpp"

#include <array>
#include <cmath>

#include <gtest/gtest.h>

#include "model/common/bits.hpp"
#include "model/common/error.hpp"
#include "tests/hardware/datapath/available_targets.hpp"
#include "tests/hardware/datapath/node_lanes.hpp"

namespace nibblecore::hw {
namespace {

using test::NodeGroup;
using test::NodeLanes;
using test::run_node;

constexpr Accumulation kV21 = Accumulation::kBlackwell;
constexpr Accumulation kV1 = Accumulation::kBlackwellV1;
constexpr std::array<Accumulation, 2> kPolicies{kV21, kV1};
constexpr uint32_t kMinusZero = 0x80000000;
constexpr uint32_t kOne = 0x3F800000;
constexpr uint32_t kLargest = 0x7F7FFFFF;
constexpr NodeGroup kNothing{0, 1, 0, false, false};

/// Products of E2M1 elements count quarters.
NodeGroup quarters(int32_t sum, int32_t exponent) { return {sum, 1, exponent, true, false}; }

uint32_t mx_node(Accumulation policy, uint32_t start, const std::vector<NodeGroup>& groups) {
  return run_node(kMxfp4, policy, start, groups);
}

/// FP32 bits of a number of at most 53 bits, truncated.
uint32_t truncated(double value) {
  auto near = static_cast<float>(value);
  if (std::fabs(static_cast<double>(near)) > std::fabs(value)) {
    near = std::nextafter(near, 0.0F);
  }
  return float_bits(near);
}

TEST(BlackwellNode, AGroupBelowTheAccumulatorIsCut35PlacesBelowIt) {
  for (const Accumulation policy : kPolicies) {
    EXPECT_EQ(mx_node(policy, float_bits(0x1p33F), {quarters(-1, 0)}), 0x4FFFFFFFU);
    EXPECT_EQ(mx_node(policy, float_bits(0x1p34F), {quarters(-1, 0)}), 0x50800000U);
    for (int distance = 0; distance <= 100; ++distance) {
      const float start = std::ldexp(1.0F, distance);
      // A quarter lies two places below its group's exponent.
      const double kept = distance <= 33 ? 0.25 : 0;
      EXPECT_EQ(mx_node(policy, float_bits(start), {quarters(-1, 0)}),
                distance <= 33 ? truncated(double{start} - kept) : float_bits(start))
          << distance;
      EXPECT_EQ(mx_node(policy, float_bits(-start), {quarters(1, 0)}),
                distance <= 33 ? truncated(kept - double{start}) : float_bits(-start))
          << distance;
    }
  }
}

TEST(BlackwellNode, TheAccumulatorIsCut35PlacesBelowTheGreatestGroup) {
  constexpr uint32_t kAllOnes = 0x3FFFFFFF;  // 2 - 2^-23
  for (const Accumulation policy : kPolicies) {
    for (int distance = 0; distance <= 100; ++distance) {
      // A cancelled group pushes the accumulator out and adds nothing.
      const double unit = std::ldexp(1.0, distance - 35);
      const double kept = std::floor(double{bits_float(kAllOnes)} / unit) * unit;
      EXPECT_EQ(mx_node(policy, kAllOnes, {quarters(0, distance)}), truncated(kept)) << distance;
      const uint32_t negative = kept == 0 ? 0 : truncated(-kept);
      EXPECT_EQ(mx_node(policy, kAllOnes | kMinusZero, {quarters(0, distance)}), negative)
          << distance;
    }
  }
}

TEST(BlackwellNode, OneGroupIsCutBelowAnother) {
  constexpr BlockFormat kUe4m3{"", ElementKind::kE2m1, ScaleKind::kUe4m3, 16};
  for (const Accumulation policy : kPolicies) {
    for (int distance = 0; distance <= 28; ++distance) {
      // 15 * 15 in units of 2^(exponent - 8); the other group cancels.
      const NodeGroup low{-2303, 225, -12, true, false};
      const NodeGroup high{0, 1, -12 + distance, true, false};
      const double value = std::ldexp(-2303.0 * 225.0, -20);
      const double unit = std::ldexp(1.0, -12 + distance - 35);
      EXPECT_EQ(run_node(kUe4m3, policy, 0, {low, high}),
                truncated(std::trunc(value / unit) * unit))
          << distance;
    }
  }
}

TEST(BlackwellNode, AGroupWithoutAProductPushesNothingOutButInV1) {
  const uint32_t start = float_bits(0x1p-23F);
  const std::vector<NodeGroup> groups{quarters(4, 0), {0, 1, 40, false, false}};
  EXPECT_EQ(mx_node(kV21, start, groups), 0x3F800001U);
  EXPECT_EQ(mx_node(kV1, start, groups), 0U);
  for (const Accumulation policy : kPolicies) {
    EXPECT_EQ(mx_node(policy, start, {quarters(4, 0), quarters(0, 40)}), 0U) << "cancelled";
  }
}

TEST(BlackwellNode, AScaleOfZeroPushesNothingOut) {
  // The exponent of such a scale is -6 with any product, whatever the other scale.
  for (const Accumulation policy : kPolicies) {
    for (const uint32_t start : {0x00000001U, 0x80000001U, 0x00400000U, 0x0C000001U, 0x0D000001U}) {
      EXPECT_EQ(run_node(kNvfp4, policy, start, {{2304, 0, 2, true, false}}), start);
    }
  }
}

TEST(BlackwellNode, ASubnormalSurvivesGroupsWithoutProductsButInV1) {
  for (const uint32_t start : {0x00000001U, 0x007FFFFFU, 0x807FFFFFU, 0x00800000U}) {
    EXPECT_EQ(mx_node(kV21, start, {kNothing}), start);
    EXPECT_EQ(mx_node(kV1, start, {kNothing}), 0U);
  }
}

TEST(BlackwellNode, AnAccumulatorOfZeroStandsFarBelow) {
  for (const uint32_t zero : {0U, kMinusZero}) {
    // 2^-149 less a little: with the accumulator at -126 in v1, 2^-161 is its last place.
    const std::vector<NodeGroup> groups{quarters(4, -149), quarters(-1, -170)};
    EXPECT_EQ(mx_node(kV21, zero, groups), 0U);
    EXPECT_EQ(mx_node(kV1, zero, groups), 1U);
  }
}

TEST(BlackwellNode, OverflowGivesInfinityThoughSumsAreTruncated) {
  for (const Accumulation policy : kPolicies) {
    EXPECT_EQ(mx_node(policy, kLargest, {quarters(4, 103)}), kLargest);
    EXPECT_EQ(mx_node(policy, kLargest, {quarters(4, 104)}), 0x7F800000U);
    EXPECT_EQ(mx_node(policy, kLargest | kMinusZero, {quarters(-4, 103)}), 0xFF7FFFFFU);
    EXPECT_EQ(mx_node(policy, kLargest | kMinusZero, {quarters(-4, 104)}), 0xFF800000U);
    EXPECT_EQ(mx_node(policy, 0, {quarters(2304, 254)}), 0x7F800000U);
    EXPECT_EQ(mx_node(policy, 0, {quarters(2304, 254), quarters(-2304, 254)}), 0U);
  }
}

TEST(BlackwellNode, NansBeatInfinitiesAndBothStay) {
  const NodeGroup nan{0, 1, 0, false, true};
  for (const Accumulation policy : kPolicies) {
    for (const uint32_t start : {0U, kOne, 0x7F800000U, 0xFF800000U, 0x7FC00000U, 0xFF800001U}) {
      EXPECT_EQ(mx_node(policy, start, {kNothing, nan}), 0x7FFFFFFFU);
      EXPECT_EQ(mx_node(policy, start, {nan, quarters(5, 0)}), 0x7FFFFFFFU);
    }
    for (const uint32_t start : {0x7F800001U, 0xFFC00000U, 0x7FFFFFFFU}) {
      EXPECT_EQ(mx_node(policy, start, {quarters(5, 0)}), 0x7FFFFFFFU);
    }
    for (const uint32_t infinity : {0x7F800000U, 0xFF800000U}) {
      EXPECT_EQ(mx_node(policy, infinity, {quarters(-2304, 254)}), infinity);
      EXPECT_EQ(mx_node(policy, infinity, {kNothing}), infinity);
    }
  }
}

TEST(BlackwellNode, ZeroSigns) {
  for (const Accumulation policy : kPolicies) {
    EXPECT_EQ(mx_node(policy, kMinusZero, {kNothing}), 0U);
    EXPECT_EQ(mx_node(policy, kMinusZero, {quarters(0, 3)}), 0U);
    EXPECT_EQ(mx_node(policy, 0xBF800000, {quarters(4, 0)}), 0U);
    EXPECT_EQ(mx_node(policy, 0, {quarters(1, -148)}), 0U) << "half of 2^-149";
  }
  EXPECT_EQ(mx_node(kV21, 0, {quarters(-1, -148)}), kMinusZero);
  EXPECT_EQ(mx_node(kV1, 0, {quarters(-1, -148)}), 0U);
}

TEST(BlackwellNode, ATermTooWideInAnyLaneIsRefused) {
  for (const SimdTarget target : test::available_targets()) {
    for (size_t lane = 0; lane < 32; ++lane) {
      NodeLanes lanes(kNvfp4, 2, 32);
      lanes.set(lane, 0, {kNothing, quarters((1 << 19) - 1, 0)});
      EXPECT_NO_THROW(lanes.run(target, kV21)) << "19 bits";
      lanes.set(lane, 0, {kNothing, quarters(-(1 << 19), 0)});
      EXPECT_THROW(lanes.run(target, kV21), InternalError) << "20 bits";
    }
  }
}

TEST(BlackwellNode, OtherPoliciesAndNumbersOfGroupsAreRefused) {
  EXPECT_THROW(node_rule(Accumulation::kFp32Rne, kMxfp4), InternalError);
  EXPECT_THROW(node_rule(Accumulation::kBlackwellMxf8f6f4, kMxfp4), InternalError);
  EXPECT_THROW(mx_node(kV21, 0, {}), InternalError);
  EXPECT_THROW(mx_node(kV21, 0, std::vector<NodeGroup>(5)), InternalError);
}

}  // namespace
}  // namespace nibblecore::hw
