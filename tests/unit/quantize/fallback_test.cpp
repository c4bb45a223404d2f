// SPDX-License-Identifier: Apache-2.0
#include "model/quantize/fallback.hpp"

#include <cmath>
#include <limits>

#include <gmock/gmock.h>

#include "model/quantize/quantize.hpp"
#include "model/quantize/residual.hpp"
#include "tests/unit/quantize/corrected_operands.hpp"

namespace nibblecore {
namespace {

using ::testing::HasSubstr;

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
using Flags = std::vector<uint8_t>;

TEST(FallbackValue, RoundsOnce) {
  EXPECT_EQ(fallback_value(6.0F, 1.0F, 0.5F), 6.5F);
  // (1 + 2^-23)^2 - 1; the square itself is no FP32 number.
  EXPECT_EQ(fallback_value(-1.0F, 0x1.000002p0F, 0x1.000002p0F), 0x1.000001p-22F);
}

TEST(TileMaxima, AreThoseOfTilesWithSmallerEdges) {
  std::vector<float> values(5 * 7, 0.5F);
  values[1 * 7 + 3] = -3.0F;  // tile (0, 0): rows 0-1, channels 0-3
  values[1 * 7 + 4] = 2.0F;   // tile (0, 1)
  values[4 * 7 + 6] = kNan;   // tile (2, 1)
  const MatrixView view = row_major_view(values.data(), 5, 7);
  for (const int threads : {1, 3}) {
    const std::vector<float> maxima = tile_maxima(view_rows(view), 5, 7, {2, 4}, threads);
    ASSERT_EQ(maxima.size(), 6U);
    EXPECT_EQ((std::vector<float>{maxima.begin(), maxima.end() - 1}),
              (std::vector<float>{3, 2, 0.5F, 0.5F, 0.5F}));
    EXPECT_TRUE(std::isnan(maxima[5]));
  }
}

TEST(TilesAbove, ExceedTheThreshold) {
  EXPECT_EQ(tiles_above({1, 2, 3, kNan}, 2), (Flags{0, 0, 1, 1}));
}

TEST(LargestTilesByRate, AreRoundedDownAndTakeTheLowerIndex) {
  EXPECT_EQ(largest_tiles_by_rate({1, 3, 2, 3, 3}, 0.5), (Flags{0, 1, 0, 1, 0}));
  EXPECT_EQ(largest_tiles_by_rate({1, kNan, 2}, 0.4), (Flags{0, 1, 0}));
  EXPECT_EQ(largest_tiles_by_rate({1, 3}, 0.49), (Flags{0, 0}));
  EXPECT_EQ(largest_tiles_by_rate({1, 3}, 1), (Flags{1, 1}));
  EXPECT_THAT(input_error([] { largest_tiles_by_rate({1}, 1.5); }), HasSubstr("rate"));
  EXPECT_THAT(input_error([] { largest_tiles_by_rate({1}, NAN); }), HasSubstr("rate"));
}

TEST(SelectedTiles, FollowTheCriterionThatIsSet) {
  FallbackSelection selection;
  selection.theta = 2;
  EXPECT_EQ(selected_tiles(selection, {1, 2, 3, 4}), (Flags{0, 0, 1, 1}));
  EXPECT_THROW(selected_tiles({}, {1}), InternalError);
  selection.rate = 0.25;
  EXPECT_THROW(selected_tiles(selection, {1}), InternalError);
  selection.theta.reset();
  EXPECT_EQ(selected_tiles(selection, {1, 2, 3, 4}), (Flags{0, 0, 0, 1}));
}

TEST(AdaptedThreshold, MovesTheRateIntoTheBand) {
  const ThresholdBand band;
  EXPECT_EQ(adapted_threshold(2.0F, 0.05, band), 2.0F / 1.3F);
  EXPECT_EQ(adapted_threshold(2.0F, 0.1, band), 2.0F);
  EXPECT_EQ(adapted_threshold(2.0F, 0.3, band), 2.0F);
  EXPECT_EQ(adapted_threshold(2.0F, 0.31, band), 2.0F * 1.3F);
  EXPECT_THAT(input_error([] { adapted_threshold(1, 0.2, {0.3, 0.1, 1.3F}); }), HasSubstr("band"));
  EXPECT_THAT(input_error([] {
                adapted_threshold(1, 0.2, {0.1, 0.3, 1.0F});
              }),
              HasSubstr("factor"));
}

TEST(AdaptedThreshold, SettlesWithinTheBand) {
  const std::vector<float> values = gaussian(256, 256, 30);
  const std::vector<float> maxima =
      tile_maxima(view_rows(row_major_view(values.data(), 256, 256)), 256, 256, {8, 8}, 1);
  float theta = 20;
  for (int step = 0; step < 20; ++step) {
    theta = adapted_threshold(theta, fallback_rate(tiles_above(maxima, theta)), {0.1, 0.3, 1.1F});
  }
  EXPECT_GE(fallback_rate(tiles_above(maxima, theta)), 0.1);
  EXPECT_LE(fallback_rate(tiles_above(maxima, theta)), 0.3);
  EXPECT_EQ(fallback_rate({}), 0);
}

TEST(KeepFlaggedTiles, ZeroesTheOthersAndKeepsScales) {
  PackedMatrix residual = make_packed_matrix(kMxfp4, 3, 40);
  std::fill(residual.scales.begin(), residual.scales.end(), uint8_t{120});
  for (int64_t row = 0; row < 3; ++row) {
    for (int64_t i = 0; i < 40; ++i) {
      set_packed_code(residual.row_codes(row), i, 0xB);
    }
  }
  const PackedMatrix kept = keep_flagged_tiles(residual, {2, 6},
                                               {1, 0, 0, 1, 0, 0, 1,  //
                                                0, 1, 0, 0, 0, 0, 0});
  EXPECT_EQ(kept.scales, residual.scales);
  for (int64_t row = 0; row < 3; ++row) {
    for (int64_t i = 0; i < 64; ++i) {
      const int64_t tile = i / 6;
      const bool flagged = row < 2 ? tile % 3 == 0 : tile == 1;
      EXPECT_EQ(packed_code(kept.row_codes(row), i), flagged && i < 40 ? 0xB : 0)
          << row << " " << i;
    }
  }
  EXPECT_THROW(keep_flagged_tiles(residual, {2, 6}, Flags(13)), InternalError);
  EXPECT_THAT(input_error([&] {
                keep_flagged_tiles(residual, {2, 5}, Flags(16));
              }),
              HasSubstr("even"));
}

/// Squared errors and zeros of G128 Gaussian values under a preset, by what is added to them.
class FallbackError {
 public:
  explicit FallbackError(const Preset& preset)
      : tensor_(phased_set_up(kLaws[0], 128, int64_t{1} << 17, 31)),
        values_(tensor_.values(2)),
        main_(quantize(view(), preset, 2)),
        residual_(quantize_residual(view(), main_, preset, 2)) {}

  MatrixView view() const {
    return row_major_view(values_.data(), tensor_.spec().rows, tensor_.spec().k);
  }

  /// Over the error without a residual.
  double dense(float alpha) const { return error(residual_, alpha) / error(residual_, 0); }

  /// The same where only this share of the blocks, by largest magnitude, has a residual.
  double selective(double rate) const {
    const FallbackTiles tiles{1, main_.format.block};
    const std::vector<float> maxima = tile_maxima(view_rows(view()), main_.rows, main_.k, tiles, 2);
    const PackedMatrix kept =
        keep_flagged_tiles(residual_, tiles, largest_tiles_by_rate(maxima, rate));
    return error(kept, 1) / error(residual_, 0);
  }

  /// The share of values that are zero.
  double zeros(float alpha) const {
    const std::vector<float> main = decoded(main_);
    const std::vector<float> residual = decoded(residual_);
    double count = 0;
    for (size_t i = 0; i < main.size(); ++i) {
      count += fallback_value(main[i], residual[i], alpha) == 0 ? 1 : 0;
    }
    return count / static_cast<double>(main.size());
  }

 private:
  double error(const PackedMatrix& residual, float alpha) const {
    const std::vector<float> main = decoded(main_);
    const std::vector<float> added = decoded(residual);
    double sum = 0;
    for (size_t i = 0; i < main.size(); ++i) {
      const double difference =
          static_cast<double>(fallback_value(main[i], added[i], alpha)) - values_[i];
      sum += difference * difference;
    }
    return sum;
  }

  SyntheticTensor tensor_;
  std::vector<float> values_;
  PackedMatrix main_;
  PackedMatrix residual_;
};

// Figures of another program in FP64 at 2^21 values. At 2^17 the standard deviations are about
// .00012 (MXFP4) and .00004 (HiF4) at alpha 1, .0005 at .5, .003 of selective fallback and .0015 of
// zeros; tolerances are 4 of them.
TEST(FallbackError, Mxfp4) {
  const FallbackError error(preset(kMxfp4, "rceil"));
  EXPECT_NEAR(error.dense(1), 0.0141, 0.0005);
  EXPECT_NEAR(error.dense(0.75F), 0.068, 0.002);
  EXPECT_NEAR(error.dense(0.5F), 0.250, 0.002);
  EXPECT_NEAR(error.selective(0.1), 0.80, 0.012);
  EXPECT_NEAR(error.selective(0.2), 0.67, 0.012);
  EXPECT_NEAR(error.selective(0.3), 0.56, 0.012);
  EXPECT_NEAR(error.zeros(0), 0.112, 0.006);
  EXPECT_NEAR(error.zeros(1), 0.015, 0.002);
}

TEST(FallbackError, Hif4AndNvfp4) {
  const FallbackError hif4(preset(kHif4, ""));
  EXPECT_NEAR(hif4.dense(1), 0.0053, 0.0002);
  EXPECT_NEAR(hif4.dense(0.5F), 0.254, 0.003);
  EXPECT_NEAR(hif4.zeros(0), 0.097, 0.006);
  EXPECT_NEAR(hif4.zeros(1), 0.007, 0.001);
  const FallbackError nvfp4(preset(kNvfp4, ""));
  EXPECT_NEAR(nvfp4.dense(1), 0.0083, 0.0002);
  EXPECT_NEAR(nvfp4.dense(0.5F), 0.253, 0.003);
  EXPECT_NEAR(nvfp4.zeros(0), 0.068, 0.006);
  EXPECT_NEAR(nvfp4.zeros(1), 0.007, 0.001);
}

}  // namespace
}  // namespace nibblecore
