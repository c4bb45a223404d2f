// SPDX-License-Identifier: Apache-2.0
// The table "What the presets make of special inputs" of docs/numerics.md, preset by preset.
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "model/common/bits.hpp"
#include "model/formats/dequantize.hpp"
#include "model/quantize/quantize.hpp"
#include "model/reference/gemm.hpp"

namespace nibblecore {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kNotANumber = std::numeric_limits<float>::quiet_NaN();
constexpr float kLargest = std::numeric_limits<float>::max();

/// What a row of values became: scale bytes, codes of the values, then of the padding if any is
/// not 0, and the decoded values, in hexadecimal; any NaN is "NaN".
std::string quantized(const char* preset_name, const std::vector<float>& values) {
  const auto found = std::find_if(presets().begin(), presets().end(), [&](const Preset& candidate) {
    return candidate.name == preset_name;
  });
  const auto k = static_cast<int64_t>(values.size());
  const PackedMatrix packed = quantize(row_major_view(values.data(), 1, k), *found, 1);
  std::ostringstream text;
  text << std::hex << std::uppercase;
  for (const uint8_t scale : packed.scales) {
    text << (scale >> 4) << (scale & 15);
  }
  text << ' ';
  for (int64_t i = 0; i < packed.blocks() * packed.format.block; ++i) {
    const int code = packed_code(packed.row_codes(0), i);
    if (i < k || code != 0) {
      text << code;
    }
  }
  std::vector<float> decoded(values.size());
  dequantize(packed, decoded.data());
  for (const float value : decoded) {
    if (std::isnan(value)) {
      text << " NaN";
    } else {
      text << ' ' << float_bits(value);
    }
  }
  return text.str();
}

/// Whether the preset replays a peer's departures from its rule; the page's last tables hold those.
bool has_quirks(const Preset& preset) {
  if (const auto* mxfp4 = std::get_if<Mxfp4Rule>(&preset.rule)) {
    return !mxfp4->quirks.empty();
  }
  if (const auto* hif4 = std::get_if<Hif4Rule>(&preset.rule)) {
    return hif4->range == Hif4Range::kWraps || hif4->non_finite == Hif4NonFinite::kByComparison;
  }
  return std::get<Nvfp4Rule>(preset.rule).element == Nvfp4ElementRule::kLeastFp32Error;
}

constexpr std::array<const char*, 7> kMxfp4Presets{"rceil", "floor",         "ceil",        "even",
                                                   "oas",   "torchao_floor", "torchao_ceil"};

TEST(SpecialInputs, NotANumber) {
  const std::vector<float> values{1, kNotANumber, -2};
  for (const char* name : {"rceil", "floor", "ceil", "even", "oas"}) {
    EXPECT_EQ(quantized(name, values), "FF 000 NaN NaN NaN") << name;
  }
  for (const char* name : {"torchao_floor", "torchao_ceil"}) {
    EXPECT_EQ(quantized(name, values), "FF 333 NaN NaN NaN") << name;
  }
  // The NaN counts as 0: the other fields are those of {1, 0, -2}.
  for (const char* name : {"amct", "model_a6_rne"}) {
    EXPECT_EQ(quantized(name, values), "FF010100 30E NaN NaN NaN") << name;
    EXPECT_EQ(quantized(name, {1, 0, -2}).substr(2, 10), "010100 30E") << name;
  }
  // The tensor scale is NaN: the second block, all ones, is lost as well.
  std::vector<float> two_blocks(17, 1.0F);
  two_blocks[3] = kNotANumber;
  std::string all_nan = "7F7F " + std::string(17, '0');
  for (int i = 0; i < 17; ++i) {
    all_nan += " NaN";
  }
  EXPECT_EQ(quantized("te_nvfp4", two_blocks), all_nan);
}

TEST(SpecialInputs, Infinity) {
  const std::vector<float> values{1, kInfinity, -2};
  for (const char* name : {"rceil", "floor", "ceil", "even", "oas"}) {
    EXPECT_EQ(quantized(name, values), "FF 000 NaN NaN NaN") << name;
  }
  for (const char* name : {"torchao_floor", "torchao_ceil"}) {
    EXPECT_EQ(quantized(name, values), "FF 333 NaN NaN NaN") << name;
  }
  for (const char* name : {"amct", "model_a6_rne"}) {
    EXPECT_EQ(quantized(name, values), "FF010100 30E NaN NaN NaN") << name;
  }
  // Tensor scale 1, block scale 448, infinity saturates at 6.
  EXPECT_EQ(quantized("te_nvfp4", values), "7E 078 0 45280000 80000000");
  EXPECT_EQ(quantized("te_nvfp4", {-kInfinity}), "7E F C5280000");
}

TEST(SpecialInputs, Subnormals) {
  const std::vector<float> values{bits_float(0x007FFFFF), -bits_float(0x00000001),
                                  bits_float(0x00400000)};
  for (const char* name : kMxfp4Presets) {
    EXPECT_EQ(quantized(name, values), "00 482 800000 80000000 400000") << name;
  }
  EXPECT_EQ(quantized("amct", values), "00000000 080 0 80000000 0");
  EXPECT_EQ(quantized("model_a6_rne", values), "00000000 080 0 80000000 0");
  // Tensor scale 2^-128, the least there is.
  EXPECT_EQ(quantized("te_nvfp4", values), "33 684 580000 80000000 2C0000");
}

TEST(SpecialInputs, ZeroBlock) {
  for (const char* name : kMxfp4Presets) {
    EXPECT_EQ(quantized(name, {0, 0}), "00 00 0 0") << name;
  }
  EXPECT_EQ(quantized("amct", {0, 0}), "00000000 00 0 0");
  EXPECT_EQ(quantized("model_a6_rne", {0, 0}), "00000000 00 0 0");
  EXPECT_EQ(quantized("te_nvfp4", {0, 0}), "00 00 0 0");
  // Beside a block that is not zero.
  std::vector<float> values(32, 0.0F);
  values[16] = 1;
  EXPECT_EQ(quantized("te_nvfp4", values).substr(0, 4), "007E");
}

TEST(SpecialInputs, MinusZero) {
  for (const char* name : kMxfp4Presets) {
    EXPECT_EQ(quantized(name, {-0.0F, 1}), "7D 86 80000000 3F800000") << name;
  }
  EXPECT_EQ(quantized("amct", {-0.0F, 1}), "B5010100 06 0 3F700000");
  EXPECT_EQ(quantized("model_a6_rne", {-0.0F, 1}), "B5010100 86 80000000 3F700000");
  EXPECT_EQ(quantized("te_nvfp4", {-0.0F, 1}), "7E 07 0 3F800000");
}

TEST(SpecialInputs, NegativeUnderflowKeepsItsSign) {
  for (const Preset& preset : presets()) {
    if (has_quirks(preset)) {
      continue;
    }
    const std::string text = quantized(preset.name.c_str(), {1, -1e-3F});
    EXPECT_EQ(text.substr(text.size() - 8), "80000000") << preset.name;
  }
}

TEST(SpecialInputs, LargestNumber) {
  const std::vector<float> values{kLargest, 1};
  for (const char* name : {"rceil", "ceil", "even", "oas", "torchao_ceil"}) {
    EXPECT_EQ(quantized(name, values), "FD 60 7F800000 0") << name;
  }
  for (const char* name : {"floor", "torchao_floor"}) {
    EXPECT_EQ(quantized(name, values), "FC 70 7F400000 0") << name;
  }
  EXPECT_EQ(quantized("amct", values), "FE010100 70 48A80000 0");
  // BF16 makes it infinity; what is left of the unit is 1, under the scale of a maximum of 1.
  EXPECT_EQ(quantized("model_a6_rne", values), "FF010100 06 NaN NaN");
  EXPECT_EQ(quantized("te_nvfp4", values), "7E 70 7F7FFFFF 0");
}

TEST(SpecialInputs, TailIsPaddedWithZeroCodes) {
  for (const Preset& preset : presets()) {
    // One value into the second block.
    std::vector<float> values(static_cast<size_t>(preset.format.block) + 1, 3.0F);
    values.back() = 0.25F;
    const std::string whole = quantized(preset.name.c_str(), values);
    const std::string tail = quantized(preset.name.c_str(), {0.25F});
    if (preset.format.name != kNvfp4.name) {  // its tensor scale differs
      const auto scale = 2 * static_cast<size_t>(preset.format.scale_bytes());
      EXPECT_EQ(whole.substr(scale, scale), tail.substr(0, scale)) << preset.name;
      EXPECT_EQ(whole.substr(whole.size() - 8), tail.substr(tail.size() - 8)) << preset.name;
    }
    if (!has_quirks(preset)) {
      // quantized() would show any code behind the values, under a NaN scale too.
      const std::string nan = quantized(preset.name.c_str(), {kNotANumber});
      EXPECT_EQ(nan.substr(nan.find(' ') + 2), " NaN") << preset.name;
    }
  }
}

// 4 * 2^126 decodes to infinity in FP32, but the GEMM multiplies the number itself.
TEST(SpecialInputs, ElementsBeyondFp32AreNumbersInAGemm) {
  const PackedMatrix a = quantize(row_major_view(&kLargest, 1, 1), preset(kMxfp4, "rceil"), 1);
  const float small = 0x1p-100F;
  const PackedMatrix b = quantize(row_major_view(&small, 1, 1), preset(kMxfp4, "rceil"), 1);
  uint32_t d = 0;
  reference_gemm(a, b, Accumulation::kFp32Rne, nullptr, &d, 1);
  EXPECT_EQ(d, float_bits(0x1p28F));
}

}  // namespace
}  // namespace nibblecore
