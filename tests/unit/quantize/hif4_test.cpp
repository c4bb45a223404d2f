// SPDX-License-Identifier: Apache-2.0
#include "model/quantize/hif4.hpp"

#include <array>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "model/common/bits.hpp"
#include "model/formats/e6m2.hpp"
#include "model/formats/fp32.hpp"

namespace nibblecore {
namespace {

constexpr size_t kUnit = 64;
using Values = std::array<float, kUnit>;

Hif4Unit quantized(const std::string& preset_name, const Values& values) {
  return quantize_hif4(values.data(), std::get<Hif4Rule>(preset(kHif4, preset_name).rule));
}

/// Zeros but for the listed (position, value) pairs.
Values values_with(std::initializer_list<std::pair<size_t, float>> placed) {
  Values values{};
  for (const auto& [position, value] : placed) {
    values[position] = value;
  }
  return values;
}

TEST(Hif4Quantize, EndsOfTheRange) {
  const Values smallest = values_with({{63, 0x1p-51F}});
  EXPECT_EQ(quantized("amct", smallest).e6m2, 0x00);
  EXPECT_EQ(quantized("amct", smallest).codes[63], 1);
  EXPECT_EQ(quantized("a6", smallest).codes[63], 0);
  for (const float large : {344064.0F, 0x1p30F, bits_float(0x7F000000)}) {
    for (const std::string name : {"amct", "a6"}) {
      const Hif4Unit unit = quantized(name, values_with({{63, -large}}));
      EXPECT_EQ(unit.e6m2, 0xFE) << large;
      EXPECT_EQ(unit.codes[63], 15) << large;
      EXPECT_EQ(decode(unit)[63], -344064.0F) << large;
    }
  }
  const Values subnormals = values_with({{0, bits_float(0x007FFFFF)}, {1, bits_float(0x80000001)}});
  for (const std::string name : {"amct", "a6"}) {
    const Hif4Unit unit = quantized(name, subnormals);
    EXPECT_EQ(pack_hif4_scale(unit), (std::array<uint8_t, 4>{0, 0, 0, 0}));
    EXPECT_EQ(unit.codes[0], 0);
    EXPECT_EQ(unit.codes[1], 8);
  }
}

TEST(Hif4Quantize, LargestFp32IsInfiniteInBf16) {
  const Values values = values_with({{2, bits_float(kFp32LargestFinite)}, {9, 1.0F}});
  EXPECT_EQ(quantized("amct", values).e6m2, 0xFE);
  EXPECT_EQ(quantized("amct", values).codes[2], 7);
  const Hif4Unit a6 = quantized("a6", values);
  EXPECT_EQ(a6.e6m2, kE6m2Nan);
  EXPECT_EQ(a6.codes[2], 0);
  EXPECT_EQ(a6.codes[9], 6);  // the rest as if it were 0: 1 / (4 * 0.15625) = 1.6
}

TEST(Hif4Quantize, ZerosAndTheirSigns) {
  const Values values = values_with({{0, -0.0F}, {63, -0.0F}});
  EXPECT_EQ(pack(quantized("amct", values)), pack(Hif4Unit{}));
  const Hif4Unit a6 = quantized("a6", values);
  EXPECT_EQ(pack_hif4_scale(a6), (std::array<uint8_t, 4>{0, 0, 0, 0}));
  EXPECT_EQ(a6.codes[0], 8);
  EXPECT_EQ(a6.codes[1], 0);
  EXPECT_EQ(a6.codes[63], 8);
}

TEST(Hif4Quantize, NonFiniteValuesCountAsZeroUnderANanScale) {
  for (const uint32_t bits : {0x7F800000U, 0xFF800000U, 0x7FC00000U, 0xFFC00001U, 0x7F800001U}) {
    for (const std::string name : {"amct", "a6"}) {
      Values values = values_with({{0, 7.0F}, {8, -3.0F}});
      Hif4Unit expected = quantized(name, values);
      expected.e6m2 = kE6m2Nan;
      values[33] = bits_float(bits);
      const Hif4Unit unit = quantized(name, values);
      EXPECT_EQ(pack(unit), pack(expected)) << name;
      for (const float value : decode(unit)) {
        EXPECT_TRUE(std::isnan(value));
      }
    }
  }
}

}  // namespace
}  // namespace nibblecore
