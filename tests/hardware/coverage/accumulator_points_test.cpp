// SPDX-License-Identifier: Apache-2.0
// The collector's own addition, against the host's FP32 where both addends are FP32 numbers, and
// its bins on additions worked out by hand.
#include "tb/coverage/accumulator_points.hpp"

#include <algorithm>
#include <cmath>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "model/common/bits.hpp"
#include "tb/coverage/accumulator_watch.hpp"

namespace nibblecore::tb {
namespace {

class AccumulatorPointsTest : public testing::Test {
 protected:
  /// Adds, and gives the bins of one point that were hit by it.
  std::vector<std::string> bins(const AccumulatorInput& input, const std::string& point) {
    Coverage coverage;
    AccumulatorPoints points(kMxfp4, coverage);
    result = points.sample(input);
    std::vector<std::string> names;
    for (const CoverBin& bin : coverage.point("mxfp4 accumulator", point).bins()) {
      if (bin.hits > 0) {
        names.push_back(bin.name);
      }
    }
    return names;
  }

  static std::vector<std::string> one(const char* name) { return {name}; }

  uint32_t result = 0;
};

TEST_F(AccumulatorPointsTest, AddsAsTheHostDoes) {
  Coverage coverage;
  AccumulatorPoints points(kMxfp4, coverage);
  std::mt19937 random(7);
  for (int i = 0; i < 300000; ++i) {
    const auto bits = static_cast<uint32_t>(random());
    if ((bits & 0x7F800000) == 0x7F800000) {
      continue;
    }
    const auto term = static_cast<int32_t>(random() % 9217) - 4608;
    const int field = static_cast<int>((bits >> 23) & 0xFF);
    const int exponent =
        std::min(std::max(field - 150 + static_cast<int>(random() % 81) - 40, -149), 115);
    const float sum = bits_float(bits) + std::ldexp(static_cast<float>(term), exponent);
    ASSERT_EQ(points.sample({bits, term, exponent, false}), float_bits(sum))
        << std::hex << bits << std::dec << " + " << term << " * 2^" << exponent;
  }
}

TEST_F(AccumulatorPointsTest, RoundsTermsThatFp32DoesNotHold) {
  // 129 * 2^-157 is a little above half of the least subnormal; 127 a little below.
  EXPECT_EQ(bins({0, 129, -157, false}, "rounding"), one("subnormal +, just above half"));
  EXPECT_EQ(result, 1U);
  EXPECT_EQ(bins({0, 127, -157, false}, "rounding"), one("subnormal +, just below half"));
  EXPECT_EQ(result, 0U);
  EXPECT_EQ(bins({0, -127, -157, false}, "result"), one("-0 by underflow"));
  EXPECT_EQ(result, 0x80000000U);
  EXPECT_EQ(bins({0, 1, -150, false}, "rounding"), one("subnormal +, tie, down"));
  EXPECT_EQ(bins({1, 1, -150, false}, "rounding"), one("subnormal +, tie, up"));
  EXPECT_EQ(result, 2U);
  EXPECT_EQ(bins({0x007FFFFF, 1, -150, false}, "result"), one("least normal, rounded up to"));
  EXPECT_EQ(result, 0x00800000U);
  EXPECT_EQ(bins({0, 1, -256, false}, "rounding"), one("subnormal +, just above"));
}

TEST_F(AccumulatorPointsTest, TellsBothWaysToInfinityApart) {
  EXPECT_EQ(bins({0x7F7FFFFF, 1, 103, false}, "result"), one("+inf by rounding"));
  EXPECT_EQ(result, 0x7F800000U);
  EXPECT_EQ(bins({0x7F7FFFFF, 1, 104, false}, "result"), one("+inf, sum from 2^128 up"));
  EXPECT_EQ(bins({0xFF7FFFFF, -1, 103, false}, "result"), one("-inf by rounding"));
  EXPECT_EQ(bins({0, -3, 252, false}, "result"), one("-inf, sum from 2^128 up"));
  EXPECT_EQ(result, 0xFF800000U);
  EXPECT_EQ(bins({0x7F7FFFFF, 1, 102, false}, "result"), one("normal"));
  EXPECT_EQ(result, 0x7F7FFFFFU);
}

TEST_F(AccumulatorPointsTest, CountsCancelledBits) {
  // The predecessor of 1, less 1, leaves the last of 25 bits.
  EXPECT_EQ(bins({0x3F7FFFFF, -1, 0, false}, "carry, cancellation"),
            one("subtracted, 24 bits cancelled"));
  EXPECT_EQ(bins({0x3F800001, -1, 0, false}, "carry, cancellation"),
            one("subtracted, 23 bits cancelled"));
  EXPECT_EQ(bins({0x3F800000, -1, 0, false}, "carry, cancellation"), one("subtracted, exact zero"));
  EXPECT_EQ(result, 0U);
  EXPECT_EQ(bins({0x3F800000, 1, 0, false}, "carry, cancellation"), one("added, carry"));
  EXPECT_EQ(bins({0x40000000, 1, 0, false}, "carry, cancellation"), one("added, no carry"));
  EXPECT_EQ(bins({0x40000000, -1, -30, false}, "carry, cancellation"),
            one("subtracted, 1 bits cancelled"));
}

TEST_F(AccumulatorPointsTest, MeasuresAlignmentFromLastBitToLastBit) {
  // The last bit of 1 counts 2^-23.
  EXPECT_EQ(bins({0x3F800000, 1, -23, false}, "alignment"), one("equal exponents"));
  EXPECT_EQ(bins({0x3F800000, 1, -24, false}, "alignment"), one("accumulator above by 1"));
  EXPECT_EQ(bins({0x3F800000, 1, 4, false}, "alignment"), one("term above by 27"));
  EXPECT_EQ(bins({0x3F800000, 1, 5, false}, "alignment"),
            one("term above by 28 or more, no bit lost"));
  EXPECT_EQ(bins({0x3F800001, 1, 5, false}, "alignment"),
            one("term above by 28 or more, some bits lost"));
  EXPECT_EQ(bins({0x3F800001, 1, 28, false}, "alignment"),
            one("term above by 28 or more, sticky bit alone"));
  EXPECT_EQ(bins({0x3F800000, 3, -51, false}, "alignment"),
            one("accumulator above by 28 or more, some bits lost"));
  EXPECT_EQ(bins({0x3F800000, 3, -52, false}, "alignment"),
            one("accumulator above by 28 or more, sticky bit alone"));
}

TEST_F(AccumulatorPointsTest, SpecialValues) {
  EXPECT_EQ(bins({0x7F800000, -5, 100, false}, "special values"), one("+inf stays"));
  EXPECT_EQ(result, 0x7F800000U);
  EXPECT_EQ(bins({0x7F800001, 0, 0, false}, "special values"),
            one("NaN with a payload becomes 7FC00000"));
  EXPECT_EQ(result, 0x7FC00000U);
  EXPECT_EQ(bins({0xFF800000, 1, 0, true}, "special values"), one("NaN scale over an infinity"));
  EXPECT_EQ(result, 0x7FC00000U);
  EXPECT_EQ(bins({0x80000000, 0, 0, false}, "signs of accumulator, term"), one("-0 and 0"));
  EXPECT_EQ(result, 0U) << "an exact zero is +0";
}

TEST(AccumulatorWatchTest, WrongAdditionIsNoticed) {
  Machine machine{};
  machine.name = "one";
  machine.cores = 1;
  machine.core = {1, 1, 64};
  machine.accumulate_latency = 1;
  machine.memory = machine.l1_to_l0a = machine.l1_to_l0b = {1, 1};
  machine.l1_bytes = machine.l0a_bytes = machine.l0b_bytes = machine.l0c_bytes = 1 << 20;
  machine.quantizer_values_per_cycle = 64;
  machine.quantizer_latency = 1;
  const Program program(machine, {1, 1, 32, kMxfp4}, {1, 1, 1});
  Coverage coverage;
  ScalePoints scale_points(kMxfp4, coverage);
  AccumulatorPoints points(kMxfp4, coverage);
  ScaleWatch scales(machine.core, scale_points);
  const uint32_t start = 0x3F800000;
  AccumulatorWatch watch(program, &start, points);
  const TilePlace place{0, 0, 1, 1};
  hw::StepTag tag;
  const auto add = [&](int32_t term, uint32_t result) {
    const int32_t exponent = 0;
    const int32_t not_nan = 0;
    scales.bus(tag, place, hw::Site::kScaleExponent, 0, &exponent, 1);
    scales.bus(tag, place, hw::Site::kScaleNan, 0, &not_nan, 1);
    watch.bus(tag, place, scales, hw::Site::kTerm, 0, term);
    watch.bus(tag, place, scales, hw::Site::kAdderResult, 0, static_cast<int32_t>(result));
    ++tag.trip;
  };
  add(1, 0x40000000);
  EXPECT_EQ(watch.wrong_additions(), 0);
  add(1, 0x40400001);
  EXPECT_EQ(watch.wrong_additions(), 1);
  ASSERT_TRUE(watch.first_wrong());
  EXPECT_EQ(watch.first_wrong()->input.before, 0x40000000U);
  EXPECT_EQ(watch.first_wrong()->expected, 0x40400000U);
  EXPECT_EQ(watch.first_wrong()->found, 0x40400001U);
  // It goes on from what the core has.
  add(1, 0x40800000);
  EXPECT_EQ(watch.wrong_additions(), 1);
}

}  // namespace
}  // namespace nibblecore::tb
