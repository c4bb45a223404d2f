// SPDX-License-Identifier: Apache-2.0
#include "model/formats/hif4_unit.hpp"

#include <cmath>
#include <random>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model/common/bits.hpp"

namespace nibblecore {
namespace {

using testing::ElementsAre;

Hif4Unit random_unit(std::mt19937& random) {
  Hif4Unit unit;
  unit.e6m2 = static_cast<uint8_t>(random());
  unit.e1_8 = static_cast<uint8_t>(random());
  unit.e1_16 = static_cast<uint16_t>(random());
  for (uint8_t& code : unit.codes) {
    code = static_cast<uint8_t>(random() % 16);
  }
  return unit;
}

TEST(Hif4Unit, PackedUnitsComeBack) {
  std::mt19937 random(11);
  for (int i = 0; i < 1000; ++i) {
    const Hif4Unit unit = random_unit(random);
    const Hif4Unit back = unpack_hif4(pack(unit));
    ASSERT_EQ(back.e6m2, unit.e6m2);
    ASSERT_EQ(back.e1_8, unit.e1_8);
    ASSERT_EQ(back.e1_16, unit.e1_16);
    ASSERT_EQ(back.codes, unit.codes);
  }
}

TEST(Hif4Unit, RecordIsScaleBytesThenPairsOfCodes) {
  Hif4Unit unit;
  unit.e6m2 = 0xC1;
  unit.e1_8 = 0x81;
  unit.e1_16 = 0x8002;
  for (size_t i = 0; i < 64; ++i) {
    unit.codes[i] = static_cast<uint8_t>(i % 16);
  }
  EXPECT_THAT(pack_hif4_scale(unit), ElementsAre(0xC1, 0x81, 0x02, 0x80));
  const auto bytes = pack(unit);
  const uint8_t pairs[] = {0x10, 0x32, 0x54, 0x76, 0x98, 0xBA, 0xDC, 0xFE};
  EXPECT_EQ(bytes[0], 0xC1);
  EXPECT_EQ(bytes[3], 0x80);
  for (size_t i = 0; i < 32; ++i) {
    EXPECT_EQ(bytes[4 + i], pairs[i % 8]) << i;
  }
}

TEST(Hif4Unit, GroupsAreAdjacentElements) {
  Hif4Unit unit;
  unit.e6m2 = 0xC0;  // 1
  unit.codes.fill(1);
  unit.e1_8 = 0x02;     // elements 8..15
  unit.e1_16 = 0x8008;  // elements 12..15 and 60..63
  const auto values = decode(unit);
  for (size_t i = 0; i < 64; ++i) {
    const float expected = i < 8 ? 0.25F : i < 12 ? 0.5F : i < 16 ? 1.0F : i < 60 ? 0.25F : 0.5F;
    EXPECT_EQ(values[i], expected) << i;
  }
}

TEST(Hif4Unit, DecodesRandomUnitsByTheFormula) {
  std::mt19937 random(12);
  for (int n = 0; n < 3000; ++n) {
    const Hif4Unit unit = random_unit(random);
    const auto values = decode(unit);
    for (size_t i = 0; i < 64; ++i) {
      const double scale = std::ldexp(1 + (unit.e6m2 % 4) / 4.0, unit.e6m2 / 4 - 48);
      const int micro = (unit.e1_8 >> (i / 8) & 1) + (unit.e1_16 >> (i / 4) & 1);
      const double magnitude = scale * std::ldexp((unit.codes[i] % 8) / 4.0, micro);
      const double expected = unit.codes[i] >= 8 ? -magnitude : magnitude;
      ASSERT_EQ(unit.micro_exponent(static_cast<int>(i)), micro);
      if (unit.e6m2 == 0xFF) {
        ASSERT_EQ(float_bits(values[i]), 0x7FC00000U);
      } else {
        ASSERT_EQ(static_cast<double>(values[i]), expected);
        ASSERT_EQ(std::signbit(values[i]), unit.codes[i] >= 8);
      }
    }
  }
}

TEST(Hif4Unit, LargestAndSmallestMagnitudes) {
  Hif4Unit largest;
  largest.e6m2 = 0xFE;
  largest.e1_8 = 0xFF;
  largest.e1_16 = 0xFFFF;
  largest.codes.fill(0xF);
  EXPECT_THAT(decode(largest), testing::Each(-344064.0F));
  Hif4Unit smallest;
  smallest.codes.fill(0x1);
  EXPECT_THAT(decode(smallest), testing::Each(0x1p-50F));
}

TEST(Hif4Unit, NanScaleMakesEveryElementNan) {
  Hif4Unit unit;
  unit.e6m2 = 0xFF;
  for (const float value : decode(unit)) {
    EXPECT_EQ(float_bits(value), 0x7FC00000U);
  }
}

}  // namespace
}  // namespace nibblecore
