// SPDX-License-Identifier: Apache-2.0
#include "model/analysis/tensor_statistics.hpp"

#include <limits>
#include <random>
#include <vector>

#include <gtest/gtest.h>

namespace nibblecore {
namespace {

TensorStatistics statistics(const std::vector<float>& values) {
  return tensor_statistics(row_major_view(values.data(), 1, static_cast<int64_t>(values.size())),
                           1);
}

TEST(TensorStatistics, ByHand) {
  const TensorStatistics result = statistics({0, 0, -0.0F, 4});
  EXPECT_EQ(result.elements, 4);
  EXPECT_EQ(result.zeros, 3);
  EXPECT_EQ(result.non_finite, 0);
  EXPECT_EQ(result.amax, 4);
  EXPECT_EQ(result.moments.mean, 1);
  EXPECT_EQ(result.rms(), 2);
  EXPECT_EQ(result.peak_to_rms(), 2);
  EXPECT_EQ(result.moments.kurtosis(), 21.0 / 9);
}

TEST(TensorStatistics, LeavesOutWhatIsNotFinite) {
  const float infinity = std::numeric_limits<float>::infinity();
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const TensorStatistics result = statistics({infinity, 1, -3, nan, -infinity, 0});
  EXPECT_EQ(result.elements, 6);
  EXPECT_EQ(result.non_finite, 3);
  EXPECT_EQ(result.zeros, 1);
  EXPECT_EQ(result.amax, 3);
  EXPECT_EQ(result.moments.count, 3);
  EXPECT_EQ(result.moments.mean, -2.0 / 3);
  const TensorStatistics none = statistics({nan});
  EXPECT_EQ(none.amax, 0);
  EXPECT_EQ(none.peak_to_rms(), 0);
  EXPECT_EQ(statistics({}).elements, 0);
}

TEST(TensorStatistics, OfEveryPieceOfALargeMatrix) {
  // 37 rows of 2500: several strips, those at the edges smaller.
  std::vector<float> values(92500);
  for (size_t i = 0; i < values.size(); ++i) {
    values[i] = i % 2 == 0 ? 0x1p23F - 1 : 0x1p23F + 1;
  }
  values.back() = 0x1p24F;
  values[values.size() - 2] = 0;
  const TensorStatistics result = tensor_statistics(row_major_view(values.data(), 37, 2500), 1);
  EXPECT_EQ(result.elements, 92500);
  EXPECT_EQ(result.moments.count, 92500);
  EXPECT_EQ(result.zeros, 1);
  EXPECT_EQ(result.amax, 0x1p24);
  // Every strip has the same mean, so nothing is rounded.
  EXPECT_EQ(result.moments.mean, 0x1p23);
  EXPECT_EQ(result.moments.squares, 2 * 0x1p46 + 92498);
}

TEST(TensorStatistics, SameBitsOnAnyNumberOfThreadsAndTypes) {
  std::mt19937 random(3);
  std::normal_distribution<float> normal(0.5F, 1.0F);
  std::vector<float> values(105000);
  for (float& value : values) {
    value = normal(random);
  }
  const MatrixView view = row_major_view(values.data(), 70, 1500);
  const TensorStatistics one = tensor_statistics(view, 1);
  const TensorStatistics four = tensor_statistics(view, 4);
  EXPECT_EQ(one.moments.mean, four.moments.mean);
  EXPECT_EQ(one.moments.squares, four.moments.squares);
  EXPECT_EQ(one.moments.cubes, four.moments.cubes);
  EXPECT_EQ(one.moments.fourths, four.moments.fourths);
  // Kurtosis of 105,000 Gaussian values: standard error sqrt(24/n) = .015.
  EXPECT_NEAR(one.moments.kurtosis(), 3, 4 * 0.0151);
}

}  // namespace
}  // namespace nibblecore
