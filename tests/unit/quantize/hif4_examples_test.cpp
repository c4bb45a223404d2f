// SPDX-License-Identifier: Apache-2.0
// Small units on which the HiF4 presets part, each by one of their parameters.
#include <array>
#include <cmath>
#include <initializer_list>
#include <limits>
#include <map>
#include <string>
#include <utility>

#include <gtest/gtest.h>

#include "model/common/bits.hpp"
#include "model/formats/fp32.hpp"
#include "model/quantize/hif4.hpp"

namespace nibblecore {
namespace {

using Values = std::array<float, 64>;
constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

Values values_with(std::initializer_list<std::pair<size_t, float>> placed) {
  Values values{};
  for (const auto& [position, value] : placed) {
    values[position] = value;
  }
  return values;
}

Hif4Rule rule_of(const std::string& name) { return std::get<Hif4Rule>(preset(kHif4, name).rule); }

Hif4Unit quantized(const std::string& name, const Values& values) {
  return quantize_hif4(values.data(), rule_of(name));
}

/// The values as the preset's own library decodes them.
Values decoded(const std::string& name, const Values& values) {
  std::array<uint8_t, 4> scale{};
  std::array<uint8_t, 64> codes{};
  Values result{};
  quantize_hif4_block({values.data(), 0}, rule_of(name),
                      {scale.data(), codes.data(), result.data()});
  return result;
}

/// A number for every preset.
using ByPreset = std::map<std::string, int>;

ByPreset for_all(int amct, int cuda_and_numpy, int torch, int bf16_first) {
  return {{"amct", amct},
          {"gcc_cuda", cuda_and_numpy},
          {"gcc_np_gpu", cuda_and_numpy},
          {"gcc_torch_gpu", torch},
          {"gcc_torch_npu", torch},
          {"model_a6_rne", bf16_first},
          {"model_pto_golden", bf16_first},
          {"model_cann_ops_golden", bf16_first},
          {"model_supernpu_golden", bf16_first}};
}

template <typename Field>
ByPreset of_every_preset(const Values& values, const Field& field) {
  ByPreset result;
  for (const Preset& preset : presets()) {
    if (preset.format.name == kHif4.name) {
      result[preset.name] = field(quantized(preset.name, values));
    }
  }
  return result;
}

ByPreset codes_of(const Values& values, size_t element) {
  return of_every_preset(values, [&](const Hif4Unit& unit) { return int{unit.codes[element]}; });
}

ByPreset scales_of(const Values& values) {
  return of_every_preset(values, [](const Hif4Unit& unit) { return int{unit.e6m2}; });
}

TEST(Hif4Examples, ATieInQuarters) {
  const Values values = values_with({{0, 7.0F}, {8, 1.125F}, {16, 0.125F}});
  EXPECT_EQ(scales_of(values), for_all(0xC0, 0xC0, 0xC0, 0xC0));
  EXPECT_EQ(codes_of(values, 8), for_all(5, 5, 5, 4));
  EXPECT_EQ(codes_of(values, 16), for_all(1, 1, 1, 0));
}

TEST(Hif4Examples, Bf16MakesATieOfAScaledElement) {
  // 4.4912 quarters.
  const Values values = values_with({{0, 7 * 1.75F * 0x1p-12F}, {1, bits_float(0x3AFC0000)}});
  EXPECT_EQ(scales_of(values), for_all(0x93, 0x93, 0x93, 0x93));
  EXPECT_EQ(codes_of(values, 1), for_all(5, 4, 4, 4));
}

TEST(Hif4Examples, Bf16ProductSetsAMicroExponent) {
  const Values values = values_with({{0, 12.25F}, {8, 7.0F}});  // 7 / 1.75 is 3.9921875 here
  EXPECT_EQ(scales_of(values), for_all(0xC3, 0xC3, 0xC3, 0xC3));
  ByPreset level2 = for_all(0, 0, 0, 1);
  level2["model_cann_ops_golden"] = 0;  // its products are not rounded
  EXPECT_EQ(of_every_preset(values, [](const Hif4Unit& unit) { return unit.e1_8 >> 1 & 1; }),
            level2);
  EXPECT_EQ(of_every_preset(values, [](const Hif4Unit& unit) { return unit.e1_16 >> 2 & 1; }),
            for_all(1, 1, 1, 1));
  EXPECT_EQ(decoded("amct", values)[8], 6.125F);
  EXPECT_EQ(decoded("gcc_cuda", values)[8], 6.125F);
  EXPECT_EQ(decoded("model_a6_rne", values)[8], 7.0F);
  EXPECT_EQ(decoded("model_supernpu_golden", values)[8], 7.0F);
}

TEST(Hif4Examples, ScaleTie) {
  ByPreset scales = for_all(0xC0, 0xC0, 0xC0, 0xC0);
  scales["model_supernpu_golden"] = 0xC1;  // half up
  EXPECT_EQ(scales_of(values_with({{5, 7.875F}})), scales);
}

TEST(Hif4Examples, AlmostHalfAQuarter) {
  const Values values = values_with({{0, 7.0F}, {8, bits_float(0x3DFFFFFF)}});
  EXPECT_EQ(codes_of(values, 8), for_all(1, 0, 1, 0));
}

TEST(Hif4Examples, Bf16InputMovesTheScale) {
  const Values values = values_with({{40, bits_float(0x3D368CE1)}});
  EXPECT_EQ(scales_of(values), for_all(0xA2, 0xA2, 0xA2, 0xA3));
}

TEST(Hif4Examples, ScaleIsRoundedTwiceFromFp32Products) {
  // The product lies just off a tie of BF16 that its FP32 rounding hits.
  EXPECT_EQ(quantized("gcc_cuda", values_with({{0, bits_float(0x40B6CB66)}})).e6m2, 0xBE);
  EXPECT_EQ(quantized("gcc_np_gpu", values_with({{0, bits_float(0x40B6CB66)}})).e6m2, 0xBF);
}

TEST(Hif4Examples, UnderTheSmallestScale) {
  const Values values = values_with({{63, 0x1p-51F}});
  EXPECT_EQ(quantized("amct", values).e6m2, 0x00);
  EXPECT_EQ(quantized("amct", values).codes[63], 1);
  EXPECT_EQ(quantized("gcc_cuda", values).codes[63], 1);
  EXPECT_EQ(quantized("model_a6_rne", values).codes[63], 0);
  EXPECT_EQ(quantized("model_cann_ops_golden", values).e6m2, 0xFF);
  // Computed with a scale of 2^-54 * 1.25, which the code does not hold.
  EXPECT_EQ(quantized("gcc_torch_npu", values).e6m2, 0xFF);
  EXPECT_EQ(decoded("gcc_torch_npu", values)[63], 0x1.Ep-52F);
  EXPECT_EQ(quantized("model_supernpu_golden", values).e6m2, 0xE9);  // 0x3E9 - 0x400, cut
}

TEST(Hif4Examples, CodeZeroIsAScaleOfZeroToPto) {
  const Values values = values_with({{0, 7.0F * 0x1p-48F}, {1, -0x1p-48F}});
  EXPECT_EQ(pack(quantized("model_pto_golden", values)), pack(Hif4Unit{}));
  EXPECT_EQ(quantized("model_a6_rne", values).e6m2, 0x00);
  EXPECT_EQ(decoded("model_a6_rne", values)[0], 7.0F * 0x1p-48F);
  const Values larger = values_with({{0, 8.75F * 0x1p-48F}});
  EXPECT_EQ(quantized("model_pto_golden", larger).e6m2, 0x01);
  EXPECT_EQ(decoded("model_pto_golden", larger)[0], 8.75F * 0x1p-48F);
}

TEST(Hif4Examples, AboveTheLargestScale) {
  for (const float large : {344064.0F, 0x1p30F}) {
    const Values values = values_with({{63, -large}});
    for (const std::string name :
         {"amct", "model_a6_rne", "gcc_cuda", "gcc_np_gpu", "gcc_torch_gpu", "model_pto_golden"}) {
      EXPECT_EQ(quantized(name, values).e6m2, 0xFE) << name;
      EXPECT_EQ(quantized(name, values).codes[63], 15) << name;
      EXPECT_EQ(decoded(name, values)[63], -344064.0F) << name;
    }
  }
  // 1.625 * 2^15 is the first that is NaN; below, it is 1.5 * 2^15.
  EXPECT_EQ(quantized("model_cann_ops_golden", values_with({{0, 370688.0F}})).e6m2, 0xFE);
  EXPECT_EQ(quantized("model_cann_ops_golden", values_with({{0, 372736.0F}})).e6m2, 0xFF);
  const Values huge = values_with({{63, -0x1p30F}});
  EXPECT_EQ(decoded("gcc_torch_npu", huge)[63], -0x1.Ep29F);
  EXPECT_EQ(quantized("gcc_torch_npu", huge).e6m2, 0xFF);
  EXPECT_EQ(quantized("model_supernpu_golden", huge).e6m2, (((27 + 48) << 2) + 1) & 0xFF);
}

TEST(Hif4Examples, InfinitySaturatesWhereTheScaleIsClamped) {
  const Values values = values_with({{2, -kInfinity}, {9, 1.0F}});
  for (const std::string name : {"gcc_cuda", "gcc_torch_gpu"}) {
    EXPECT_EQ(quantized(name, values).e6m2, 0xFE) << name;
    EXPECT_EQ(decoded(name, values)[2], -344064.0F) << name;
    EXPECT_EQ(decoded(name, values)[9], 0.0F) << name;
  }
  for (const std::string name :
       {"amct", "model_a6_rne", "gcc_np_gpu", "gcc_torch_npu", "model_cann_ops_golden"}) {
    EXPECT_EQ(quantized(name, values).e6m2, 0xFF) << name;
    EXPECT_TRUE(std::isnan(decoded(name, values)[9])) << name;
  }
}

TEST(Hif4Examples, NanByComparisonIsTheMaximumOnlyWhereItComesFirst) {
  // First of a four whose eight keeps it, in the first eight: the whole unit.
  Values values{};
  values.fill(1.0F);
  values[4] = kNan;
  EXPECT_EQ(quantized("gcc_cuda", values).e6m2, 0xFF);
  EXPECT_EQ(quantized("gcc_cuda", values).codes[5], 0);
  // Elsewhere it is alone.
  for (const size_t position : {size_t{1}, size_t{8}, size_t{63}}) {
    values.fill(1.0F);
    values[position] = kNan;
    const Hif4Unit unit = quantized("gcc_cuda", values);
    EXPECT_EQ(unit.e6m2, 0xB5) << position;
    EXPECT_EQ(unit.codes[position], 0);
    EXPECT_EQ(unit.codes[40], 6);
    EXPECT_TRUE(std::isnan(decoded("gcc_cuda", values)[position]));
    EXPECT_EQ(decoded("gcc_cuda", values)[40], 0.9375F);
    for (const std::string name : {"gcc_torch_gpu", "gcc_np_gpu", "gcc_torch_npu"}) {
      EXPECT_EQ(quantized(name, values).e6m2, 0xFF) << name;
      EXPECT_EQ(quantized(name, values).e1_8, 0) << name;
      EXPECT_EQ(quantized(name, values).codes[40], 0) << name;
    }
    EXPECT_EQ(quantized("amct", values).codes[40], 6);
  }
}

TEST(Hif4Examples, MinusZero) {
  const Values values = values_with({{0, 1.0F}, {1, -0.0F}});
  ByPreset codes = for_all(0, 0, 0, 0);
  for (const char* name : {"gcc_cuda", "model_a6_rne", "model_supernpu_golden"}) {
    codes[name] = 8;
  }
  EXPECT_EQ(codes_of(values, 1), codes);
}

TEST(Hif4Examples, NegativeUnderflowKeepsItsSign) {
  const Values values = values_with({{0, 7.0F}, {20, -0.0625F}});
  EXPECT_EQ(codes_of(values, 20), for_all(8, 8, 8, 8));
}

TEST(Hif4Examples, ZeroUnit) {
  ByPreset scales = for_all(0, 0, 0, 0);
  scales["gcc_torch_npu"] = 0xFF;  // divides by zero
  scales["model_cann_ops_golden"] = 0xFF;
  scales["model_supernpu_golden"] = 0xC4;  // 0x2C4 - 0x400, cut
  EXPECT_EQ(scales_of(Values{}), scales);
  EXPECT_EQ(codes_of(Values{}, 0), for_all(0, 0, 0, 0));
}

}  // namespace
}  // namespace nibblecore
