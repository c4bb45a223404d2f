// SPDX-License-Identifier: Apache-2.0
#include "hw/datapath/e2m1_rounder.hpp"

#include <array>
#include <cmath>
#include <random>

#include <gtest/gtest.h>

#include "model/common/bits.hpp"
#include "model/formats/preset.hpp"

namespace nibblecore::hw {
namespace {

/// The definition: the nearest of the eight magnitudes, in FP64, where everything here is exact.
uint8_t defined_code(uint32_t bits, int scale, Rounding rounding) {
  constexpr std::array<double, 8> kValues{0, .5, 1, 1.5, 2, 3, 4, 6};
  const float value = bits_float(bits);
  const double magnitude = std::ldexp(std::fabs(double{value}), 127 - scale);
  uint8_t code = 0;
  while (code < 7 && magnitude >= kValues[code + 1U]) {
    ++code;
  }
  if (code < 7) {
    const double middle = (kValues[code] + kValues[code + 1U]) / 2;
    const bool tie_goes_up =
        rounding == Rounding::kNearestAway || (rounding == Rounding::kNearestEven && code % 2 == 1);
    const bool up = magnitude > middle || (magnitude == middle && tie_goes_up);
    code = static_cast<uint8_t>(code + (up && rounding != Rounding::kTowardZero ? 1 : 0));
  }
  return static_cast<uint8_t>(code | (std::signbit(value) ? 8 : 0));
}

TEST(E2m1Rounder, AroundEveryGridPointAndMidpointInEveryRounding) {
  constexpr std::array<double, 16> kPoints{0, .25, .5,  .75, 1,   1.25, 1.5, 1.75,
                                           2, 2.5, 3.0, 3.5, 4.0, 5.0,  6.0, 7.0};
  for (int scale = 0; scale <= 254; ++scale) {
    for (const double point : kPoints) {
      const auto centre = static_cast<float>(std::ldexp(point, scale - 127));
      if (std::isinf(centre)) {
        continue;
      }
      for (int offset = -2; offset <= 2; ++offset) {
        const uint32_t magnitude = float_bits(centre) + static_cast<uint32_t>(offset);
        for (const uint32_t sign : {0U, 0x80000000U}) {
          const uint32_t bits = (magnitude & 0x7FFFFFFF) | sign;
          if (((bits >> 23) & 0xFF) == 0xFF) {
            continue;
          }
          for (const RoundingRecord& record : kDeterministicRoundings) {
            ASSERT_EQ(round_to_e2m1(bits, static_cast<uint8_t>(scale), record.rounding),
                      defined_code(bits, scale, record.rounding))
                << std::hex << bits << " under " << scale << ", " << record.name;
          }
        }
      }
    }
  }
}

TEST(E2m1Rounder, RandomNumbersUnderNearScales) {
  std::mt19937 random(3);
  for (int i = 0; i < 500'000; ++i) {
    const uint32_t field = random() % 255;
    const uint32_t bits = (random() & 0x807FFFFF) | (field << 23);
    const int scale = std::min(254, std::max(0, static_cast<int>(field + random() % 36) - 6));
    ASSERT_EQ(round_to_e2m1(bits, static_cast<uint8_t>(scale), Rounding::kNearestEven),
              defined_code(bits, scale, Rounding::kNearestEven))
        << std::hex << bits << " under " << scale;
  }
}

TEST(E2m1Rounder, FarScalesSaturateAndUnderflowWithTheSign) {
  EXPECT_EQ(round_to_e2m1(0x7F7FFFFF, 0, Rounding::kNearestEven), 7);
  EXPECT_EQ(round_to_e2m1(0xFF7FFFFF, 0, Rounding::kNearestEven), 15);
  EXPECT_EQ(round_to_e2m1(0x00000001, 254, Rounding::kNearestAway), 0);
  EXPECT_EQ(round_to_e2m1(0x80000001, 254, Rounding::kNearestAway), 8);
  EXPECT_EQ(round_to_e2m1(0x80000000, 0, Rounding::kNearestEven), 8);
}

}  // namespace
}  // namespace nibblecore::hw
