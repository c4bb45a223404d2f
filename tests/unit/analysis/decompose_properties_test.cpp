// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "model/analysis/decompose.hpp"
#include "model/common/error.hpp"
#include "model/quantize/quantize.hpp"

namespace nibblecore {
namespace {

/// [rows, k] Gaussian values under a random power of two a row.
std::vector<float> gaussian(int64_t rows, int64_t k, uint32_t seed) {
  std::mt19937 random(seed);
  std::normal_distribution<float> normal;
  std::vector<float> values;
  for (int64_t row = 0; row < rows; ++row) {
    const float scale = std::ldexp(1.0F, static_cast<int>(random() % 9) - 4);
    for (int64_t i = 0; i < k; ++i) {
      values.push_back(normal(random) * scale);
    }
  }
  return values;
}

TEST(DecomposeProperties, TensorScaleIsThatOfTheWholeTensor) {
  // The second slice would be exact under a tensor scale of its own.
  const std::vector<float> values = gaussian(3, 64, 5);
  const Preset& nvfp4 = preset(kNvfp4, "");
  const MatrixView flat = row_major_view(values.data(), 3, 64);
  const BlockedRows cube = blocked_rows(values.data(), ValueType::kF32, {3, 2, 32}, 2, "here");
  EXPECT_EQ(decompose(cube, nvfp4, 1).error, decompose(flat, nvfp4, 1).error);
}

TEST(DecomposeProperties, PartsAddUpUnderEveryPreset) {
  const std::vector<float> values = gaussian(20, 320, 9);
  const MatrixView view = row_major_view(values.data(), 20, 320);
  for (const Preset& each : presets()) {
    SCOPED_TRACE(each.name);
    const Decomposition sum = decompose(view, each, 1);
    EXPECT_EQ(sum.grid_dead_zone, 0.0);
    // 6400 products of FP64 rounding 2^-53, a few sums of energies of twice the error.
    EXPECT_NEAR(sum.closure().value(), 1, 1e-12);
    EXPECT_GT(sum.scale, 0);
    EXPECT_EQ(sum.dead_zone_is_orthogonal(), sum.scale_dead_zone == 0.0);
  }
}

TEST(DecomposeProperties, DeadZoneIsOrthogonalUnderScalesThatClipNothing) {
  const std::vector<float> values = gaussian(64, 512, 10);
  const MatrixView view = row_major_view(values.data(), 64, 512);
  for (const ScaleRule rule : {ScaleRule::kRceil, ScaleRule::kCeil}) {
    for (const Rounding rounding : {Rounding::kNearestEven, Rounding::kNearestAway,
                                    Rounding::kNearestZero, Rounding::kTowardZero}) {
      const Decomposition sum = decompose(view, mxfp4_preset(rule, rounding), 1);
      EXPECT_EQ(sum.scale_dead_zone, 0.0);
      EXPECT_EQ(sum.grid_dead_zone, 0.0);
      EXPECT_EQ(sum.dead_zone_values, 0);
      EXPECT_EQ(sum.small_scale_blocks, 0);
      EXPECT_EQ(sum.saturated, 0);
      EXPECT_GT(sum.dead_zone, 0);
    }
  }
  for (const ScaleRule rule : {ScaleRule::kFloor, ScaleRule::kEven, ScaleRule::kOas}) {
    const Decomposition sum = decompose(view, mxfp4_preset(rule, Rounding::kNearestEven), 1);
    EXPECT_LT(sum.scale_dead_zone, 0);
    EXPECT_GT(sum.dead_zone_values, 0);
    EXPECT_EQ(sum.small_scale_blocks, sum.clipped_blocks);
  }
}

void expect_same(const Decomposition& a, const Decomposition& b) {
  EXPECT_EQ(a.error, b.error);
  EXPECT_EQ(a.scale, b.scale);
  EXPECT_EQ(a.grid, b.grid);
  EXPECT_EQ(a.dead_zone, b.dead_zone);
  EXPECT_EQ(a.scale_grid, b.scale_grid);
  EXPECT_EQ(a.scale_dead_zone, b.scale_dead_zone);
  EXPECT_EQ(a.signal, b.signal);
  EXPECT_EQ(a.product, b.product);
  EXPECT_EQ(a.quantized, b.quantized);
  EXPECT_EQ(a.elements, b.elements);
  EXPECT_EQ(a.zeros, b.zeros);
  EXPECT_EQ(a.in_dead_zone, b.in_dead_zone);
  EXPECT_EQ(a.saturated, b.saturated);
  EXPECT_EQ(a.gamma.mean, b.gamma.mean);
  EXPECT_EQ(a.gamma.squares, b.gamma.squares);
  EXPECT_EQ(a.delta.mean, b.delta.mean);
}

class DecomposeFormats : public testing::TestWithParam<BlockFormat> {};

TEST_P(DecomposeFormats, SameBitsOnAnyNumberOfThreads) {
  const std::vector<float> values = gaussian(70, 2100, 11);
  const MatrixView view = row_major_view(values.data(), 70, 2100);
  const Preset& by = preset(GetParam(), "");
  expect_same(decompose(view, by, 1), decompose(view, by, 4));
}

TEST_P(DecomposeFormats, PowersOfTwoChangeNoRatio) {
  const std::vector<float> values = gaussian(20, 200, 12);
  std::vector<float> scaled = values;
  for (float& value : scaled) {
    value *= 0x1p-9F;
  }
  const Preset& by = preset(GetParam(), "");
  const Decomposition one = decompose(row_major_view(values.data(), 20, 200), by, 1);
  const Decomposition other = decompose(row_major_view(scaled.data(), 20, 200), by, 1);
  EXPECT_EQ(other.error, one.error * 0x1p-18);
  EXPECT_EQ(other.share(other.scale), one.share(one.scale));
  EXPECT_EQ(other.share(other.grid), one.share(one.grid));
  EXPECT_EQ(other.share(other.dead_zone), one.share(one.dead_zone));
  EXPECT_EQ(other.relative_error(), one.relative_error());
  EXPECT_EQ(other.gain(), one.gain());
  EXPECT_EQ(other.gamma.mean, one.gamma.mean);
  EXPECT_EQ(other.gamma.squares, one.gamma.squares);
  EXPECT_EQ(other.zeros, one.zeros);
  EXPECT_EQ(other.in_dead_zone, one.in_dead_zone);
  EXPECT_EQ(other.saturated, one.saturated);
}

TEST_P(DecomposeFormats, BlocksRunAlongTheAxis) {
  // [3, 130, 5] along its middle axis is [3, 5, 130] along its last.
  const std::vector<float> values = gaussian(15, 130, 13);
  std::vector<float> permuted(values.size());
  for (size_t outer = 0; outer < 3; ++outer) {
    for (size_t inner = 0; inner < 5; ++inner) {
      for (size_t i = 0; i < 130; ++i) {
        permuted[(outer * 130 + i) * 5 + inner] = values[(outer * 5 + inner) * 130 + i];
      }
    }
  }
  const Preset& by = preset(GetParam(), "");
  const auto along = [&](const std::vector<float>& data, const std::vector<int64_t>& shape,
                         int64_t axis) {
    return decompose(blocked_rows(data.data(), ValueType::kF32, shape, axis, "here"), by, 1);
  };
  expect_same(along(permuted, {3, 130, 5}, 1), along(values, {3, 5, 130}, -1));
  const MatrixView columns{permuted.data(), ValueType::kF32, 5, 130, 1, 5};
  expect_same(decompose(columns, by, 1), decompose(row_major_view(values.data(), 5, 130), by, 1));
}

INSTANTIATE_TEST_SUITE_P(Formats, DecomposeFormats, testing::Values(kMxfp4, kHif4, kNvfp4),
                         [](const testing::TestParamInfo<BlockFormat>& test) {
                           return std::string(test.param.name);
                         });

TEST(DecomposeProperties, RandomBitsBelongToTheElementsOfTheTensor) {
  // [6, 40, 3] along axis 1 cuts strips into slices; the same elements get the same bits as where
  // each slice is quantized alone.
  const Preset by = mxfp4_preset(ScaleRule::kRceil, Rounding::kStochastic);
  const RandomStream random{5, Stream::kStochasticRounding, 2};
  const std::vector<float> values = gaussian(6, 120, 15);
  double error = 0;
  std::vector<float> decoded(120);
  for (int64_t slice = 0; slice < 6; ++slice) {
    const MatrixView view{values.data() + slice * 120, ValueType::kF32, 3, 40, 1, 3};
    const QuantizeChoices choices{BlockShape::kRow, random, slice * 120};
    quantize(view, by, choices, 1, decoded.data());
    for (int64_t i = 0; i < 120; ++i) {
      const auto index = static_cast<size_t>(slice * 120 + i % 40 * 3 + i / 40);
      const double difference = double{decoded[static_cast<size_t>(i)]} - double{values[index]};
      error += difference * difference;
    }
  }
  const BlockedRows tensor = blocked_rows(values.data(), ValueType::kF32, {6, 40, 3}, 1, "here");
  const Decomposition sum = decompose(tensor, by, 1, random);
  EXPECT_DOUBLE_EQ(sum.error, error);
  // Up with the probability of the way: also from the dead zone.
  EXPECT_GT(sum.dead_zone_values, 0);
  EXPECT_EQ(sum.small_scale_blocks, 0);
  EXPECT_NE(decompose(tensor, by, 1, RandomStream{6, Stream::kStochasticRounding, 2}).error,
            sum.error);
  EXPECT_THROW(decompose(tensor, by, 1), InputError);
}

}  // namespace
}  // namespace nibblecore
