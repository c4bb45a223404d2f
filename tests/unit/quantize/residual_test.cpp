// SPDX-License-Identifier: Apache-2.0
#include "model/quantize/residual.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "model/common/bits.hpp"
#include "model/common/error.hpp"
#include "model/formats/bf16.hpp"
#include "model/formats/dequantize.hpp"
#include "model/quantize/nvfp4.hpp"
#include "model/quantize/quantize.hpp"

namespace nibblecore {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kNotANumber = std::numeric_limits<float>::quiet_NaN();
constexpr float kLargest = std::numeric_limits<float>::max();

std::vector<float> normal_values(size_t count, unsigned seed) {
  std::mt19937 engine(seed);
  std::normal_distribution<float> distribution(0.0F, 3.0F);
  std::vector<float> values(count);
  std::generate(values.begin(), values.end(), [&] { return distribution(engine); });
  return values;
}

struct Quantized {
  PackedMatrix main;
  PackedMatrix residual;
};

Quantized quantize_twice(const MatrixView& view, const Preset& preset, int threads = 1) {
  const PackedMatrix main = quantize(view, preset, threads);
  return {main, quantize_residual(view, main, preset, threads)};
}

std::vector<float> decoded(const PackedMatrix& matrix) {
  std::vector<float> values(static_cast<size_t>(matrix.rows * matrix.k));
  dequantize(matrix, values.data());
  return values;
}

/// x - Q(x) in FP32.
std::vector<float> differences(const std::vector<float>& values, const PackedMatrix& main) {
  std::vector<float> result = decoded(main);
  for (size_t i = 0; i < result.size(); ++i) {
    result[i] = values[i] - result[i];
  }
  return result;
}

void expect_equal(const PackedMatrix& a, const PackedMatrix& b, const std::string& what) {
  EXPECT_EQ(a.codes, b.codes) << what;
  EXPECT_EQ(a.scales, b.scales) << what;
  EXPECT_EQ(float_bits(a.tensor_scale), float_bits(b.tensor_scale)) << what;
  EXPECT_EQ(a.format.name, b.format.name) << what;
  EXPECT_EQ(a.rows, b.rows) << what;
  EXPECT_EQ(a.k, b.k) << what;
}

bool has_tensor_scale(const Preset& preset) {
  const auto* rule = std::get_if<Nvfp4Rule>(&preset.rule);
  return rule != nullptr && rule->tensor != Nvfp4TensorRule::kNone;
}

TEST(QuantizeResidual, IsTheQuantizedDifferenceOfInputAndDecodedInput) {
  for (const Preset& preset : presets()) {
    if (has_tensor_scale(preset)) {
      continue;
    }
    for (const int64_t k : {1, 31, 64, 97, 160}) {
      const std::vector<float> values = normal_values(static_cast<size_t>(7 * k), 1);
      const Quantized quantized = quantize_twice(row_major_view(values.data(), 7, k), preset);
      const std::vector<float> residual = differences(values, quantized.main);
      expect_equal(quantized.residual, quantize(row_major_view(residual.data(), 7, k), preset, 1),
                   preset.name);
    }
  }
}

TEST(QuantizeResidual, MinuendIsTheInputAsGivenWhereThePresetRoundsIt) {
  const Preset& a6 = preset(kHif4, "model_a6_rne");
  std::vector<float> values = normal_values(640, 2);
  const Quantized as_given = quantize_twice(row_major_view(values.data(), 10, 64), a6);
  std::transform(values.begin(), values.end(), values.begin(), round_to_bf16);
  const Quantized rounded = quantize_twice(row_major_view(values.data(), 10, 64), a6);
  EXPECT_EQ(as_given.main.codes, rounded.main.codes);
  EXPECT_NE(as_given.residual.codes, rounded.residual.codes);
}

// Of 7 + 2^-20 the 2^-20 is left, which BF16 of the input would have lost.
TEST(QuantizeResidual, SmallRestOfALargeInput) {
  const float value = 7 + 0x1p-20F;
  const float rest = 0x1p-20F;
  for (const char* name : {"amct", "model_a6_rne"}) {
    const Preset& hif4 = preset(kHif4, name);
    const Quantized quantized = quantize_twice(row_major_view(&value, 1, 1), hif4);
    EXPECT_EQ(decoded(quantized.main).front(), 7.0F) << name;
    EXPECT_GT(decoded(quantized.residual).front(), 0.0F) << name;
    expect_equal(quantized.residual, quantize(row_major_view(&rest, 1, 1), hif4, 1), name);
  }
}

TEST(QuantizeResidual, Nvfp4KeepsTheTensorScaleOfTheMainOperand) {
  const std::vector<float> values = normal_values(size_t{9} * 50, 3);
  const Quantized quantized =
      quantize_twice(row_major_view(values.data(), 9, 50), preset(kNvfp4, ""));
  EXPECT_EQ(float_bits(quantized.residual.tensor_scale), float_bits(quantized.main.tensor_scale));

  float largest = 0;
  for (const float value : values) {
    largest = std::max(largest, std::fabs(value));
  }
  const Nvfp4TensorScale scale = nvfp4_tensor_scale(largest);
  const std::vector<float> residual = differences(values, quantized.main);
  for (int64_t row = 0; row < 9; ++row) {
    for (int64_t block = 0; block < 4; ++block) {
      std::vector<float> padded(16);
      std::copy_n(residual.begin() + row * 50 + block * 16, std::min<int64_t>(16, 50 - block * 16),
                  padded.begin());
      const Nvfp4Unit unit = quantize_nvfp4(padded.data(), scale);
      EXPECT_EQ(quantized.residual.row_scales(row)[block], unit.scale);
      for (int64_t i = 0; i < 16; ++i) {
        EXPECT_EQ(packed_code(quantized.residual.row_codes(row), block * 16 + i),
                  unit.codes[static_cast<size_t>(i)]);
      }
    }
  }
  // A scale of its own would have been another.
  const PackedMatrix alone =
      quantize(row_major_view(residual.data(), 9, 50), preset(kNvfp4, ""), 1);
  EXPECT_NE(float_bits(alone.tensor_scale), float_bits(quantized.main.tensor_scale));
}

// formats.md, section 5: the subtraction loses nothing for BF16 inputs.
TEST(QuantizeResidual, DifferencesOfBf16InputsAreExactInFp32) {
  std::mt19937 random(4);
  for (const Preset& preset : presets()) {
    if (has_tensor_scale(preset)) {
      continue;
    }
    // HiF4 scales end at 49152 and 2^-48: within them no block saturates.
    for (const int center : {-30, 0, 12}) {
      std::vector<float> values(size_t{64} * 128);
      for (float& value : values) {
        const auto significand = static_cast<float>(128 + random() % 128);
        const int exponent = center + static_cast<int>(random() % 12) - 12;
        value = std::ldexp((random() & 1) != 0 ? significand : -significand, exponent - 7);
      }
      const PackedMatrix main = quantize(row_major_view(values.data(), 64, 128), preset, 1);
      const std::vector<float> known = decoded(main);
      const std::vector<float> residual = differences(values, main);
      for (size_t i = 0; i < values.size(); ++i) {
        EXPECT_EQ(double{residual[i]}, double{values[i]} - double{known[i]})
            << preset.name << ", " << values[i];
      }
    }
  }
}

/// Scale codes (E6M2 in HiF4) of a row's residual.
std::vector<int> residual_scales(const std::vector<float>& values, const Preset& preset) {
  const auto k = static_cast<int64_t>(values.size());
  const Quantized quantized = quantize_twice(row_major_view(values.data(), 1, k), preset);
  std::vector<int> scales;
  for (int64_t block = 0; block < quantized.residual.blocks(); ++block) {
    scales.push_back(quantized.residual.row_scales(0)[block * preset.format.scale_bytes()]);
  }
  return scales;
}

int nan_code(const Preset& preset) {
  return preset.format.scale == ScaleKind::kUe4m3 ? 0x7F : 0xFF;
}

TEST(QuantizeResidual, InputsThatAreNotFiniteMakeTheirBlockNanAlone) {
  for (const Preset& preset : presets()) {
    for (const float special : {kInfinity, -kInfinity, kNotANumber}) {
      std::vector<float> values(192, 1.0F);
      values[70] = special;
      const std::vector<int> scales = residual_scales(values, preset);
      for (size_t block = 0; block < scales.size(); ++block) {
        const bool own = block == static_cast<size_t>(70 / preset.format.block);
        // A NaN makes NVFP4's tensor scale NaN, and every block with it.
        const bool all = has_tensor_scale(preset) && std::isnan(special);
        EXPECT_EQ(scales[block] == nan_code(preset), own || all) << preset.name << " " << special;
      }
    }
  }
}

TEST(QuantizeResidual, NanTensorScaleIsKept) {
  std::vector<float> values(32, 1.0F);
  values[5] = kNotANumber;
  const Quantized quantized =
      quantize_twice(row_major_view(values.data(), 2, 16), preset(kNvfp4, ""));
  EXPECT_EQ(float_bits(quantized.residual.tensor_scale), float_bits(quantized.main.tensor_scale));
  EXPECT_EQ(quantized.residual.scales, (std::vector<uint8_t>{0x7F, 0x7F}));
}

// FLT_MAX is 4 * 2^126 in MXFP4, which decodes to infinity; `floor` has 6 * 2^125, which does not.
TEST(QuantizeResidual, ValuesThatDecodeToInfinityMakeTheirBlockNan) {
  std::vector<float> values(64, 1.0F);
  values[3] = -kLargest;
  for (const char* name : {"rceil", "ceil", "even", "torchao_ceil"}) {
    EXPECT_EQ(residual_scales(values, preset(kMxfp4, name)).front(), 0xFF) << name;
    EXPECT_NE(residual_scales(values, preset(kMxfp4, name)).back(), 0xFF) << name;
  }
  for (const char* name : {"floor", "torchao_floor"}) {
    EXPECT_NE(residual_scales(values, preset(kMxfp4, name)).front(), 0xFF) << name;
  }
  // 344064 saturates in `amct`; the rest of FLT_MAX saturates once more. BF16 makes it infinity.
  EXPECT_EQ(residual_scales(values, preset(kHif4, "amct")).front(), 0xFE);
  EXPECT_EQ(residual_scales(values, preset(kHif4, "model_a6_rne")).front(), 0xFF);
}

TEST(QuantizeResidual, CodesOfANanBlock) {
  std::vector<float> values(33, 1.0F);
  values[32] = kInfinity;
  const auto codes_of = [&](const Preset& preset) {
    return quantize_twice(row_major_view(values.data(), 1, 33), preset).residual;
  };
  const PackedMatrix torchao = codes_of(preset(kMxfp4, "torchao_floor"));
  EXPECT_EQ(packed_code(torchao.row_codes(0), 32), 3);
  const PackedMatrix nvfp4 = codes_of(preset(kNvfp4, ""));
  EXPECT_EQ(packed_code(nvfp4.row_codes(0), 32), 0);
  for (int64_t i = 33; i < 64; ++i) {
    EXPECT_EQ(packed_code(torchao.row_codes(0), i), 0);  // padding
  }
}

TEST(QuantizeResidual, NothingIsLeftOfValuesOnTheGrid) {
  const std::vector<float> values{6, -4, 3, 2, 1.5F, -1, 0.5F, 0, -0.0F};
  const Quantized quantized =
      quantize_twice(row_major_view(values.data(), 1, 9), preset(kMxfp4, ""));
  EXPECT_EQ(quantized.residual.codes, std::vector<uint8_t>(16, 0));
  EXPECT_EQ(quantized.residual.scales, std::vector<uint8_t>{0});
}

TEST(QuantizeResidual, ViewsAndThreadsDoNotChangeResults) {
  constexpr int64_t kRows = 45;
  constexpr int64_t kColumns = 70;
  std::vector<float> values = normal_values(static_cast<size_t>(kRows * kColumns), 6);
  std::vector<uint16_t> transposed(values.size());
  for (int64_t row = 0; row < kRows; ++row) {
    for (int64_t i = 0; i < kColumns; ++i) {
      float& value = values[static_cast<size_t>(row * kColumns + i)];
      const uint16_t half = bf16_from_fp32(float_bits(value));
      transposed[static_cast<size_t>(i * kRows + row)] = half;
      value = bits_float(bf16_to_fp32(half));
    }
  }
  const MatrixView column_major{transposed.data(), ValueType::kBf16, kRows, kColumns, 1, kRows};
  for (const Preset& preset : presets()) {
    const Quantized one = quantize_twice(row_major_view(values.data(), kRows, kColumns), preset, 1);
    for (const int threads : {0, 2, 3}) {
      expect_equal(quantize_twice(column_major, preset, threads).residual, one.residual,
                   preset.name);
    }
  }
}

TEST(QuantizeResidual, PackedMatrixMustBeThatOfTheInput) {
  const std::vector<float> values = normal_values(256, 7);
  const MatrixView view = row_major_view(values.data(), 4, 64);
  const PackedMatrix main = quantize(view, preset(kNvfp4, ""), 1);
  const auto residual_of = [&](const MatrixView& input, const PackedMatrix& packed,
                               const BlockFormat& format) {
    return quantize_residual(input, packed, preset(format, ""), 1);
  };
  EXPECT_NO_THROW(residual_of(view, main, kNvfp4));
  EXPECT_THROW(residual_of(view, main, kMxfp4), InternalError);
  EXPECT_THROW(residual_of(row_major_view(values.data(), 3, 64), main, kNvfp4), InternalError);
  EXPECT_THROW(residual_of(row_major_view(values.data(), 4, 63), main, kNvfp4), InternalError);
  PackedMatrix other_scale = main;
  other_scale.tensor_scale *= 2;
  EXPECT_THROW(residual_of(view, other_scale, kNvfp4), InternalError);
}

}  // namespace
}  // namespace nibblecore
