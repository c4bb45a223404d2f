// SPDX-License-Identifier: Apache-2.0
#include "model/analysis/scale_sweep.hpp"

#include <cmath>
#include <cstring>
#include <limits>
#include <random>

#include <gtest/gtest.h>

#include "model/analysis/decompose.hpp"
#include "model/common/error.hpp"

namespace nibblecore {
namespace {

SweepInput input_of(const std::vector<float>& values, int64_t rows, int block) {
  const int64_t k = static_cast<int64_t>(values.size()) / rows;
  const RowSource source = [&values, k](int64_t row, float* row_values) {
    std::memcpy(row_values, values.data() + row * k, static_cast<size_t>(k) * sizeof(float));
  };
  return {source, rows, k, block, {}};
}

std::vector<float> random_values(size_t count) {
  std::mt19937 random(3);
  std::normal_distribution<float> normal;
  std::vector<float> values(count);
  for (float& value : values) {
    value = normal(random);
  }
  return values;
}

// A block with largest magnitude 7.5: s* = 1.25, s = 2.
TEST(ScaleSweep, SplitsTheErrorOfABlock) {
  //                                 Q     Q*
  const std::vector<float> values{7.5F,   // 8     7.5: scale .5, grid 0
                                  -2.0F,  // -2    -1.875 (1.6 -> 1.5): scale -.125, grid .125
                                  0.4F,   // 0     .625 (.32 -> .5): scale -.625, grid .225
                                  0.25F,  // 0     0 (.2): dead zone -.25
                                  0.0F};  // 0     0: dead zone 0
  const ScaleErrorSums sums =
      sweep_scales(input_of(values, 1, 8), {{SweepScale::kRoundedUp, 0}}, 1)[0];
  const double x = 0.4F;
  EXPECT_DOUBLE_EQ(sums.signal, 56.25 + 4 + x * x + 0.0625);
  EXPECT_DOUBLE_EQ(sums.total, 0.25 + x * x + 0.0625);
  EXPECT_DOUBLE_EQ(sums.scale, 0.25 + 0.015625 + 0.390625);
  EXPECT_DOUBLE_EQ(sums.grid, 0.015625 + (0.625 - x) * (0.625 - x));
  EXPECT_EQ(sums.dead_zone, 0.0625);
  EXPECT_DOUBLE_EQ(sums.scale_grid, -0.015625 - 0.625 * (0.625 - x));
  EXPECT_EQ(sums.scale_dead_zone, 0);
  EXPECT_EQ(sums.gain, 60 + 4);
  EXPECT_EQ(sums.gamma, 1.6);
  EXPECT_EQ(sums.elements, 5);
  EXPECT_EQ(sums.in_dead_zone, 2);
  EXPECT_EQ(sums.zeros, 3);
  EXPECT_EQ(sums.blocks, 1);
  EXPECT_DOUBLE_EQ(sums.scale_grid_cosine(), sums.scale_grid / std::sqrt(sums.scale * sums.grid));
}

// The decomposition of MXFP4's own quantizer, written apart, on packed codes.
TEST(ScaleSweep, WithoutMantissaBitsIsTheDecompositionOfRceil) {
  const std::vector<float> values = random_values(size_t{8} * 200);
  const ScaleErrorSums sums =
      sweep_scales(input_of(values, 8, 32), {{SweepScale::kRoundedUp, 0}}, 1)[0];
  const Decomposition expected =
      decompose(row_major_view(values.data(), 8, 200),
                mxfp4_preset(ScaleRule::kRceil, Rounding::kNearestEven), 1);
  // Both sum in FP64, in different orders.
  EXPECT_NEAR(sums.total, expected.error, 1e-12 * expected.error);
  EXPECT_NEAR(sums.scale, expected.scale, 1e-12 * expected.scale);
  EXPECT_NEAR(sums.grid, expected.grid, 1e-12 * expected.grid);
  EXPECT_NEAR(sums.dead_zone, expected.dead_zone, 1e-12 * expected.dead_zone);
  EXPECT_NEAR(sums.scale_grid, expected.scale_grid, 1e-12 * expected.scale);
  EXPECT_NEAR(sums.gain, expected.product, 1e-12 * expected.product);
  EXPECT_EQ(sums.zeros, expected.zeros);
  EXPECT_EQ(sums.in_dead_zone, expected.in_dead_zone);
  EXPECT_EQ(sums.blocks, expected.blocks);
}

TEST(ScaleSweep, PartsAddUpUnderEveryScale) {
  const std::vector<float> values = random_values(size_t{64} * 96);
  const std::vector<ScaleChoice> choices{
      {SweepScale::kRoundedUp, 0}, {SweepScale::kNearest, 0},  {SweepScale::kRoundedDown, 1},
      {SweepScale::kUnlimited, 0}, {SweepScale::kBestReal, 0}, {SweepScale::kBestPowerOfTwo, 0},
  };
  for (const ScaleErrorSums& sums : sweep_scales(input_of(values, 64, 32), choices, 1)) {
    // The identity holds in real numbers; six sums in FP64 stand for it.
    EXPECT_NEAR(
        sums.total,
        sums.scale + sums.grid + sums.dead_zone + 2 * (sums.scale_grid + sums.scale_dead_zone),
        1e-12 * sums.total);
    EXPECT_EQ(sums.blocks, 64 * 3);
  }
}

TEST(ScaleSweep, DoesNotDependOnThreads) {
  const std::vector<float> values = random_values(size_t{600} * 40);
  const std::vector<ScaleChoice> choices{{SweepScale::kRoundedUp, 0}, {SweepScale::kNearest, 2}};
  const auto one = sweep_scales(input_of(values, 600, 16), choices, 1);
  const auto three = sweep_scales(input_of(values, 600, 16), choices, 3);
  for (size_t i = 0; i < choices.size(); ++i) {
    EXPECT_EQ(one[i].total, three[i].total);
    EXPECT_EQ(one[i].scale_grid, three[i].scale_grid);
    EXPECT_EQ(one[i].gamma, three[i].gamma);
    EXPECT_EQ(one[i].zeros, three[i].zeros);
  }
}

TEST(ScaleSweep, WeighsTheEnergiesOfBlocks) {
  const std::vector<float> values{7.5F, 0.4F, 15.0F, 0.8F, 0, 0};
  SweepInput input = input_of(values, 3, 2);
  const std::vector<ScaleChoice> choices{{SweepScale::kRoundedUp, 0}};
  const ScaleErrorSums plain = sweep_scales(input, choices, 1)[0];
  input.weight = [](int64_t row, int64_t) { return row == 1 ? 0.25 : 1; };
  const ScaleErrorSums weighed = sweep_scales(input, choices, 1)[0];
  EXPECT_DOUBLE_EQ(weighed.total, plain.total * 2 / 5);
  EXPECT_DOUBLE_EQ(weighed.signal, plain.signal * 2 / 5);
  EXPECT_DOUBLE_EQ(weighed.scale_grid, plain.scale_grid * 2 / 5);
  EXPECT_EQ(weighed.gamma, plain.gamma);
  EXPECT_EQ(weighed.blocks, 2);  // the zero block is none
  EXPECT_EQ(weighed.elements, 6);
  EXPECT_EQ(weighed.zeros, plain.zeros);
}

TEST(ScaleSweep, RefusesWhatHasNoErrors) {
  const std::vector<ScaleChoice> choices{{SweepScale::kUnlimited, 0}};
  const std::vector<float> infinite{1, std::numeric_limits<float>::infinity()};
  EXPECT_THROW(sweep_scales(input_of(infinite, 1, 2), choices, 1), InputError);
  const std::vector<float> values{1, 2};
  EXPECT_THROW(sweep_scales(input_of(values, 1, 0), choices, 1), InputError);
  SweepInput empty = input_of(values, 1, 2);
  empty.rows = 0;
  EXPECT_THROW(sweep_scales(empty, choices, 1), InputError);
}

}  // namespace
}  // namespace nibblecore
