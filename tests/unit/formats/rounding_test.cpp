// SPDX-License-Identifier: Apache-2.0
#include "model/formats/rounding.hpp"

#include <cmath>
#include <cstring>
#include <random>

#include <gtest/gtest.h>

#include "model/common/bits.hpp"
#include "model/common/error.hpp"
#include "model/formats/bf16.hpp"
#include "model/formats/e2m1.hpp"
#include "model/formats/e6m2.hpp"
#include "model/formats/e8m0.hpp"
#include "model/formats/fp32.hpp"
#include "model/formats/s1p2.hpp"
#include "model/formats/ue4m3.hpp"

namespace nibblecore {
namespace {

constexpr NumberFormat kSmallFormats[] = {kE2m1Format, kS1p2Format,  kE8m0Format,
                                          kE6m2Format, kUe4m3Format, kBf16Format};
constexpr Rounding kRoundings[] = {Rounding::kNearestEven, Rounding::kNearestAway,
                                   Rounding::kNearestZero, Rounding::kTowardZero};

uint32_t round_double(const NumberFormat& format, double value, Rounding rounding) {
  return round_magnitude(format, unrounded(value), rounding, Overflow::kSaturate);
}

TEST(RoundMagnitude, EveryNumberStaysItself) {
  for (const NumberFormat& format : kSmallFormats) {
    for (uint32_t code = 0; code <= format.largest_code(); ++code) {
      const ExactNumber number = decode(format, code);
      for (const Rounding rounding : kRoundings) {
        for (const int shift : {0, 1, 30}) {
          const UnroundedMagnitude value{uint64_t{number.significand} << shift,
                                         number.exponent - shift, false};
          ASSERT_EQ(round_magnitude(format, value, rounding, Overflow::kSaturate), code)
              << format.name << " shifted by " << shift;
        }
      }
    }
  }
}

TEST(RoundMagnitude, MidpointsFollowTheRoundingAndTheirNeighboursAreNearest) {
  for (const NumberFormat& format : kSmallFormats) {
    for (uint32_t code = 0; code < format.largest_code(); ++code) {
      SCOPED_TRACE(testing::Message() << format.name << " above " << code);
      const double middle = (decode_double(format, code) + decode_double(format, code + 1)) / 2;
      const uint32_t even = code % 2 == 0 ? code : code + 1;
      ASSERT_EQ(round_double(format, middle, Rounding::kNearestEven), even);
      ASSERT_EQ(round_double(format, middle, Rounding::kNearestAway), code + 1);
      ASSERT_EQ(round_double(format, middle, Rounding::kNearestZero), code);
      ASSERT_EQ(round_double(format, middle, Rounding::kTowardZero), code);
      for (const Rounding rounding :
           {Rounding::kNearestEven, Rounding::kNearestAway, Rounding::kNearestZero}) {
        ASSERT_EQ(round_double(format, std::nextafter(middle, HUGE_VAL), rounding), code + 1);
        ASSERT_EQ(round_double(format, std::nextafter(middle, 0), rounding), code);
        UnroundedMagnitude just_above = unrounded(middle);
        just_above.sticky = true;
        ASSERT_EQ(round_magnitude(format, just_above, rounding, Overflow::kSaturate), code + 1);
      }
      ASSERT_EQ(round_double(format, std::nextafter(decode_double(format, code + 1), 0),
                             Rounding::kTowardZero),
                code);
    }
  }
}

TEST(RoundMagnitude, BeyondTheLargestSaturatesOrBecomesInfinity) {
  for (const NumberFormat& format : kSmallFormats) {
    const double largest = decode_double(format, format.largest_code());
    for (const double value :
         {std::nextafter(largest, HUGE_VAL), largest * 1.5, largest * 2, largest * 0x1p400}) {
      for (const Rounding rounding : kRoundings) {
        ASSERT_EQ(round_double(format, value, rounding), format.largest_code())
            << format.name << " " << value;
      }
    }
  }
  const auto bf16 = [](double value, Rounding rounding) {
    return round_magnitude(kBf16Format, unrounded(value), rounding, Overflow::kInfinity);
  };
  const double half_step_beyond = 0x1.FFp127;
  EXPECT_EQ(bf16(half_step_beyond, Rounding::kNearestEven), 0x7F80U);
  EXPECT_EQ(bf16(half_step_beyond, Rounding::kNearestZero), 0x7F7FU);
  EXPECT_EQ(bf16(half_step_beyond, Rounding::kTowardZero), 0x7F7FU);
  EXPECT_EQ(bf16(std::nextafter(half_step_beyond, 0), Rounding::kNearestAway), 0x7F7FU);
  EXPECT_EQ(bf16(0x1p1000, Rounding::kNearestEven), 0x7F80U);
}

TEST(RoundMagnitude, BelowTheSmallestNeedsSubnormals) {
  EXPECT_EQ(round_double(kE2m1Format, 0x1p-400, Rounding::kNearestAway), 0U);
  EXPECT_EQ(round_double(kE8m0Format, 0x1p-127, Rounding::kNearestEven), 0U);
  EXPECT_THROW(round_double(kE8m0Format, 0x1.FFp-128, Rounding::kNearestEven), InternalError);
  EXPECT_THROW(round_double(kE6m2Format, 0x1p-49, Rounding::kNearestEven), InternalError);
}

TEST(RoundMagnitude, StickyBitBreaksATieOfAFullSignificand) {
  const uint64_t tie = (uint64_t{1} << 63) | (uint64_t{1} << 39);  // 1 + 2^-24
  EXPECT_EQ(
      round_magnitude(kFp32Format, {tie, -63, false}, Rounding::kNearestEven, Overflow::kInfinity),
      0x3F800000U);
  EXPECT_EQ(
      round_magnitude(kFp32Format, {tie, -63, true}, Rounding::kNearestEven, Overflow::kInfinity),
      0x3F800001U);
  // 2^-150 in the top bit: the whole significand lies under the rounding position.
  const uint64_t top = uint64_t{1} << 63;
  EXPECT_EQ(
      round_magnitude(kFp32Format, {top, -213, false}, Rounding::kNearestEven, Overflow::kInfinity),
      0U);
  EXPECT_EQ(
      round_magnitude(kFp32Format, {top, -213, true}, Rounding::kNearestEven, Overflow::kInfinity),
      1U);
  EXPECT_EQ(
      round_magnitude(kFp32Format, {top, -214, true}, Rounding::kNearestEven, Overflow::kInfinity),
      0U);
}

double random_double(std::mt19937_64& random) {
  // Exponents from far under FP32's subnormals to past its overflow; half of the significands
  // end at a random bit, so that ties occur.
  const uint64_t exponent = uint64_t{1023 - 160} + random() % 300;
  uint64_t mantissa = random() & 0xFFFFFFFFFFFFF;
  if (random() % 2 == 0) {
    const uint64_t last = uint64_t{1} << (random() % 52);
    mantissa = (mantissa & ~(last - 1)) | last;
  }
  const uint64_t bits = exponent << 52 | mantissa;
  double value = 0;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

TEST(RoundMagnitude, RoundsDoublesToFp32LikeTheHost) {
  std::mt19937_64 random(9);
  for (int i = 0; i < 2'000'000; ++i) {
    const double value = random_double(random);
    ASSERT_EQ(
        round_magnitude(kFp32Format, unrounded(value), Rounding::kNearestEven, Overflow::kInfinity),
        float_bits(static_cast<float>(value)))
        << value;
  }
}

TEST(Unrounded, IsTheMagnitudeExactly) {
  for (const double value : {0.0, -0.0, 1.0, -1.5, 0x1p-1074, -0x1.FFFFFFFFFFFFFp1023, 0x1p-149}) {
    const UnroundedMagnitude magnitude = unrounded(value);
    EXPECT_EQ(std::ldexp(static_cast<double>(magnitude.significand), magnitude.exponent),
              std::fabs(value));
    EXPECT_FALSE(magnitude.sticky);
  }
}

}  // namespace
}  // namespace nibblecore
