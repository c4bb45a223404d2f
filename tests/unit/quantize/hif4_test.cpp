// SPDX-License-Identifier: Apache-2.0
#include "model/quantize/hif4.hpp"

#include <array>
#include <cmath>
#include <iostream>
#include <limits>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "model/common/bits.hpp"
#include "model/formats/e6m2.hpp"
#include "model/formats/fp32.hpp"
#include "tests/unit/quantize/vectors.hpp"

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

/// One golden file beside the inputs.
struct Golden {
  explicit Golden(const std::string& name)
      : x(vector_tensor<float>("hif4/inputs", "x")),
        units(vector_tensor<uint8_t>("hif4/" + name, "unit")),
        dequantized(vector_tensor<uint32_t>("hif4/" + name, "dequantized")),
        skip(vector_tensor<uint8_t>("hif4/" + name, "skip")) {}

  Values row(size_t index) const {
    Values values{};
    std::copy_n(x.begin() + static_cast<std::ptrdiff_t>(index * kUnit), kUnit, values.begin());
    return values;
  }

  bool unit_matches(size_t index, const Hif4Unit& unit) const {
    const auto packed = pack(unit);
    return std::equal(packed.begin(), packed.end(),
                      units.begin() + static_cast<std::ptrdiff_t>(index * kHif4UnitBytes));
  }

  bool values_match(size_t index, const Hif4Unit& unit) const {
    const auto values = decode(unit);
    return std::equal(values.begin(), values.end(),
                      dequantized.begin() + static_cast<std::ptrdiff_t>(index * kUnit),
                      [](float ours, uint32_t theirs) { return float_bits(ours) == theirs; });
  }

  std::vector<float> x;
  std::vector<uint8_t> units;
  std::vector<uint32_t> dequantized;
  std::vector<uint8_t> skip;
};

struct Comparison {
  int compared = 0;
  std::vector<size_t> unit_differs;
  std::vector<size_t> value_differs;
};

/// The rows whose skip flag is `skip`.
Comparison compare(const std::string& name, uint8_t skip) {
  const Golden golden(name);
  Comparison comparison;
  for (size_t row = 0; row < golden.skip.size(); ++row) {
    if (golden.skip[row] != skip) {
      continue;
    }
    ++comparison.compared;
    const Hif4Unit unit = quantized(name, golden.row(row));
    if (!golden.unit_matches(row, unit)) {
      comparison.unit_differs.push_back(row);
    }
    if (!golden.values_match(row, unit)) {
      comparison.value_differs.push_back(row);
    }
  }
  std::cout << name << (skip != 0 ? " (skipped rows)" : "") << ": " << comparison.compared
            << " units compared, " << comparison.unit_differs.size() << " differ, "
            << comparison.value_differs.size() << " decode differently\n";
  return comparison;
}

TEST(Hif4Vectors, Amct) {
  const Comparison comparison = compare("amct", 0);
  EXPECT_EQ(comparison.compared, 2722 - 13);
  EXPECT_EQ(comparison.unit_differs, std::vector<size_t>{});
  EXPECT_EQ(comparison.value_differs, std::vector<size_t>{});
}

TEST(Hif4Vectors, AmctUnitsOfNonFiniteRows) {
  const Comparison comparison = compare("amct", 1);
  EXPECT_EQ(comparison.compared, 13);
  EXPECT_EQ(comparison.unit_differs, std::vector<size_t>{});
}

TEST(Hif4Vectors, A6) {
  const Comparison comparison = compare("model_a6_rne", 0);
  EXPECT_EQ(comparison.compared, 2722 - 14);
  EXPECT_EQ(comparison.unit_differs, std::vector<size_t>{});
  EXPECT_EQ(comparison.value_differs, std::vector<size_t>{});
}

TEST(Hif4Quantize, TiesInQuarters) {
  const Values values = values_with({{0, 7.0F}, {8, 1.125F}, {16, 0.125F}});
  const Hif4Unit amct = quantized("amct", values);
  const Hif4Unit a6 = quantized("a6", values);
  EXPECT_EQ(amct.e6m2, 0xC0);
  EXPECT_EQ(a6.e6m2, 0xC0);
  EXPECT_EQ(amct.codes[8], 5);
  EXPECT_EQ(a6.codes[8], 4);
  EXPECT_EQ(amct.codes[16], 1);
  EXPECT_EQ(a6.codes[16], 0);
}

TEST(Hif4Quantize, Bf16MakesATieOfAScaledElement) {
  const Values values = values_with({{0, 7 * 1.75F * 0x1p-12F}, {1, bits_float(0x3AFC0000)}});
  const Hif4Unit amct = quantized("amct", values);
  EXPECT_EQ(amct.e6m2, 0x93);
  EXPECT_EQ(amct.micro_exponent(1), 2);
  EXPECT_EQ(amct.codes[1], 5);
  EXPECT_EQ(quantized("a6", values).codes[1], 4);
}

TEST(Hif4Quantize, Bf16ProductSetsAMicroExponent) {
  const Values values = values_with({{0, 12.25F}, {8, 7.0F}});
  const Hif4Unit amct = quantized("amct", values);
  EXPECT_EQ(amct.e6m2, 0xC3);
  EXPECT_EQ(amct.e1_8 >> 1 & 1, 0);
  EXPECT_EQ(amct.e1_16 >> 2 & 1, 1);
  EXPECT_EQ(amct.codes[8], 7);
  EXPECT_EQ(decode(amct)[8], 6.125F);
  const Hif4Unit a6 = quantized("a6", values);
  EXPECT_EQ(a6.e1_8 >> 1 & 1, 1);
  EXPECT_EQ(a6.e1_16 >> 2 & 1, 1);
  EXPECT_EQ(a6.codes[8], 4);
  EXPECT_EQ(decode(a6)[8], 7.0F);
}

TEST(Hif4Quantize, ScaleTieGoesToEven) {
  // 7.875 * BF16(1/7) = 1.1228, in BF16 1.125: halfway between E6M2 1.0 and 1.25.
  EXPECT_EQ(quantized("amct", values_with({{5, 7.875F}})).e6m2, 0xC0);
  EXPECT_EQ(quantized("a6", values_with({{5, -7.875F}})).e6m2, 0xC0);
}

TEST(Hif4Quantize, AlmostHalfAQuarter) {
  const Values values = values_with({{0, 7.0F}, {8, bits_float(0x3DFFFFFF)}});
  EXPECT_EQ(quantized("amct", values).codes[8], 1);
  EXPECT_EQ(quantized("a6", values).codes[8], 0);
}

TEST(Hif4Quantize, Bf16InputMovesTheScale) {
  const Values values = values_with({{40, bits_float(0x3D368CE1)}});
  EXPECT_EQ(quantized("amct", values).e6m2, 0xA2);
  EXPECT_EQ(quantized("a6", values).e6m2, 0xA3);
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

TEST(Hif4Quantize, NegativeUnderflowKeepsItsSign) {
  const Values values = values_with({{0, 7.0F}, {20, -0.0625F}});
  EXPECT_EQ(quantized("amct", values).codes[20], 8);
  EXPECT_EQ(quantized("a6", values).codes[20], 8);
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
