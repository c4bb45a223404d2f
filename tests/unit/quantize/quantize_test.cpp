// SPDX-License-Identifier: Apache-2.0
#include "model/quantize/quantize.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "model/common/bits.hpp"
#include "model/common/error.hpp"
#include "model/formats/bf16.hpp"
#include "model/quantize/hif4.hpp"
#include "model/quantize/mxfp4.hpp"
#include "model/quantize/nvfp4.hpp"

namespace nibblecore {
namespace {

std::vector<float> random_matrix(int64_t rows, int64_t k, unsigned seed) {
  std::mt19937 engine(seed);
  std::normal_distribution<float> distribution(0.0F, 2.0F);
  std::vector<float> values(static_cast<size_t>(rows * k));
  std::generate(values.begin(), values.end(), [&] { return distribution(engine); });
  return values;
}

void expect_equal(const PackedMatrix& a, const PackedMatrix& b, const std::string& what) {
  EXPECT_EQ(a.rows, b.rows) << what;
  EXPECT_EQ(a.k, b.k) << what;
  EXPECT_EQ(a.format.name, b.format.name) << what;
  EXPECT_EQ(a.codes, b.codes) << what;
  EXPECT_EQ(a.scales, b.scales) << what;
  EXPECT_EQ(float_bits(a.tensor_scale), float_bits(b.tensor_scale)) << what;
}

/// Scale bytes and codes (one a byte) of one padded block, by the unit function of the preset.
struct PlainBlock {
  std::vector<uint8_t> scale;
  std::vector<uint8_t> codes;
};

struct QuantizePlainly {
  const float* values;
  float tensor_maximum;

  template <typename Unit>
  static PlainBlock plain(const Unit& unit) {
    return {{unit.scale}, {unit.codes.begin(), unit.codes.end()}};
  }
  PlainBlock operator()(const Mxfp4Rule& rule) const { return plain(quantize_mxfp4(values, rule)); }
  PlainBlock operator()(const Nvfp4Rule& rule) const {
    return plain(quantize_nvfp4(values, nvfp4_tensor_scale(tensor_maximum, rule), rule));
  }
  PlainBlock operator()(const Hif4Rule& rule) const {
    const Hif4Unit unit = quantize_hif4(values, rule);
    const auto scale = pack_hif4_scale(unit);
    return {{scale.begin(), scale.end()}, {unit.codes.begin(), unit.codes.end()}};
  }
};

void expect_padded_blocks(const Preset& preset, const std::vector<float>& values, int64_t rows,
                          int64_t k) {
  const PackedMatrix packed = quantize(row_major_view(values.data(), rows, k), preset, 1);
  const int64_t block = preset.format.block;
  ASSERT_EQ(packed.blocks(), (k + block - 1) / block);
  float tensor_maximum = 0;
  for (const float value : values) {
    tensor_maximum = std::max(tensor_maximum, std::fabs(value));
  }
  for (int64_t row = 0; row < rows; ++row) {
    for (int64_t begin = 0; begin < k; begin += block) {
      std::vector<float> padded(static_cast<size_t>(block));
      const int64_t count = std::min(block, k - begin);
      std::copy_n(values.begin() + row * k + begin, count, padded.begin());
      const PlainBlock expected =
          std::visit(QuantizePlainly{padded.data(), tensor_maximum}, preset.rule);
      for (int64_t i = 0; i < block; ++i) {
        ASSERT_EQ(packed_code(packed.row_codes(row), begin + i),
                  i < count ? expected.codes[static_cast<size_t>(i)] : 0)
            << preset.name << " k " << k << " row " << row << " element " << begin + i;
      }
      for (int64_t i = 0; i < preset.format.scale_bytes(); ++i) {
        ASSERT_EQ(packed.row_scales(row)[begin / block * preset.format.scale_bytes() + i],
                  expected.scale[static_cast<size_t>(i)])
            << preset.name << " k " << k << " row " << row;
      }
    }
  }
}

TEST(Quantize, TailsCountAsPaddedWithZeros) {
  for (const Preset& preset : presets()) {
    for (const int64_t k : {1, 15, 16, 17, 31, 32, 33, 64, 65, 97}) {
      expect_padded_blocks(preset, random_matrix(3, k, 5), 3, k);
    }
  }
}

TEST(Quantize, PaddingOfANanBlockHasCodeZero) {
  std::vector<float> values(33, 1.0F);
  values[32] = std::numeric_limits<float>::quiet_NaN();
  const PackedMatrix packed =
      quantize(row_major_view(values.data(), 1, 33), preset(kMxfp4, "torchao_floor"), 1);
  EXPECT_EQ(packed.scales, (std::vector<uint8_t>{125, 255}));
  EXPECT_EQ(packed_code(packed.row_codes(0), 32), 3);
  for (int64_t i = 33; i < 64; ++i) {
    EXPECT_EQ(packed_code(packed.row_codes(0), i), 0);
  }
}

TEST(Quantize, Bf16InputEqualsFp32InputOfTheSameValues) {
  for (const Preset& preset : presets()) {
    std::vector<float> values = random_matrix(5, 70, 6);
    std::vector<uint16_t> halves;
    for (float& value : values) {
      halves.push_back(bf16_from_fp32(float_bits(value)));
      value = bits_float(bf16_to_fp32(halves.back()));
    }
    const MatrixView view{halves.data(), ValueType::kBf16, 5, 70, 70, 1};
    expect_equal(quantize(view, preset, 1),
                 quantize(row_major_view(values.data(), 5, 70), preset, 1), preset.name);
  }
}

TEST(Quantize, ColumnMajorViewEqualsItsRowMajorCopy) {
  constexpr int64_t kRows = 21;
  constexpr int64_t kColumns = 97;
  const std::vector<float> values = random_matrix(kRows, kColumns, 7);
  std::vector<float> transposed(values.size());
  for (int64_t row = 0; row < kRows; ++row) {
    for (int64_t i = 0; i < kColumns; ++i) {
      transposed[static_cast<size_t>(i * kRows + row)] =
          values[static_cast<size_t>(row * kColumns + i)];
    }
  }
  const MatrixView view{transposed.data(), ValueType::kF32, kRows, kColumns, 1, kRows};
  for (const Preset& preset : presets()) {
    expect_equal(quantize(view, preset, 1),
                 quantize(row_major_view(values.data(), kRows, kColumns), preset, 1), preset.name);
  }
}

TEST(Quantize, ThreadsDoNotChangeResults) {
  constexpr int64_t kRows = 203;
  const std::vector<float> values = random_matrix(kRows, 130, 8);
  const MatrixView view = row_major_view(values.data(), kRows, 130);
  for (const Preset& preset : presets()) {
    const PackedMatrix single = quantize(view, preset, 1);
    for (const int threads : {0, 2, 3, 16}) {
      expect_equal(quantize(view, preset, threads), single, preset.name);
    }
  }
}

TEST(Quantize, EmptyMatrices) {
  for (const Preset& preset : presets()) {
    const float nothing = 0;
    const PackedMatrix no_rows = quantize(row_major_view(&nothing, 0, 40), preset, 2);
    EXPECT_EQ(no_rows.codes.size(), 0U);
    const PackedMatrix no_columns = quantize(row_major_view(&nothing, 3, 0), preset, 2);
    EXPECT_EQ(no_columns.rows, 3);
    EXPECT_EQ(no_columns.scales.size(), 0U);
  }
}

TEST(Quantize, SizesBeyondMemoryAreInputErrors) {
  const float nothing = 0;
  const int64_t huge = std::numeric_limits<int64_t>::max() / 2;
  for (const Preset& preset : presets()) {
    EXPECT_THROW(quantize(row_major_view(&nothing, huge, huge), preset, 1), InputError)
        << preset.name;
    EXPECT_THROW(quantize(row_major_view(&nothing, -1, 32), preset, 1), InputError) << preset.name;
  }
}

TEST(LargestMagnitude, LooksAtEveryValue) {
  constexpr int64_t kRows = 50;
  constexpr int64_t kColumns = 20;
  for (const size_t position : {0, 19, 500, 999}) {
    std::vector<float> values(kRows * kColumns, 1.0F);
    values[position] = -3.0F;
    const MatrixView view = row_major_view(values.data(), kRows, kColumns);
    EXPECT_EQ(largest_magnitude(view, 2), 3.0F);
    values[position] = -std::numeric_limits<float>::infinity();
    EXPECT_EQ(largest_magnitude(view, 2), std::numeric_limits<float>::infinity());
    values[(position + 1) % values.size()] = std::numeric_limits<float>::quiet_NaN();
    EXPECT_TRUE(std::isnan(largest_magnitude(view, 2)));
  }
  EXPECT_EQ(largest_magnitude(row_major_view(nullptr, 0, 0), 1), 0.0F);
}

}  // namespace
}  // namespace nibblecore
