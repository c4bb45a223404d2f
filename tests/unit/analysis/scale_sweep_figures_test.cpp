// SPDX-License-Identifier: Apache-2.0
// The sweep on phased blocks of 32 against independently computed figures; those are of 2^21
// values, with standard deviations over seeds at that size.
#include <array>
#include <cmath>
#include <string>

#include <gtest/gtest.h>

#include "model/analysis/scale_sweep.hpp"
#include "model/synthetic/synthetic_tensor.hpp"

namespace nibblecore {
namespace {

constexpr int64_t kValues = int64_t{1} << 17;

/// Four standard deviations at kValues.
double tolerance(double deviation) { return 4 * deviation * std::sqrt(0x1p21 / kValues); }

std::vector<ScaleErrorSums> sweep(const char* law, const std::vector<ScaleChoice>& choices) {
  const SyntheticTensor tensor(phased_set_up(find_law(law), 32, kValues, 1));
  return sweep_scales(
      {[&](int64_t row, float* values) { tensor.fill_row(row, values); }, tensor.spec().rows,
       tensor.spec().k, 32,
       [&](int64_t row, int64_t block) { return tensor.energy_weight(row, block); }},
      choices, 1);
}

struct PartFigures {
  const char* law;
  double scale;
  double grid;
  double dead_zone;
  double cosine;
  double in_dead_zone;
  double zeros;
  double relative_error;
};

class DecompositionFigures : public testing::TestWithParam<PartFigures> {};

TEST_P(DecompositionFigures, AreThoseOfTheLaw) {
  const PartFigures& expected = GetParam();
  const ScaleErrorSums sums = sweep(expected.law, {{SweepScale::kRoundedUp, 0}})[0];
  const auto elements = static_cast<double>(sums.elements);
  EXPECT_NEAR(sums.scale / sums.total, expected.scale, tolerance(0.0028));
  EXPECT_NEAR(sums.grid / sums.total, expected.grid, tolerance(0.0027));
  EXPECT_NEAR(sums.dead_zone / sums.total, expected.dead_zone,
              tolerance(expected.dead_zone > 0.03 ? 0.0005 : 0.00012));
  EXPECT_NEAR(sums.scale_grid_cosine(), expected.cosine, tolerance(0.0007));
  EXPECT_NEAR(static_cast<double>(sums.in_dead_zone) / elements, expected.in_dead_zone,
              tolerance(0.0003));
  EXPECT_NEAR(static_cast<double>(sums.zeros) / elements, expected.zeros, tolerance(0.0003));
  EXPECT_NEAR(sums.relative_error(), expected.relative_error,
              tolerance(expected.relative_error * 0.003));
  EXPECT_NEAR(sums.gamma / static_cast<double>(sums.blocks), 1 / std::log(2.0), tolerance(0.001));
  EXPECT_EQ(sums.scale_dead_zone, 0);
}

INSTANTIATE_TEST_SUITE_P(
    AllLaws, DecompositionFigures,
    testing::Values(PartFigures{"gaussian", 1.738, .728, .0200, -.660, .0776, .1116, .01366},
                    PartFigures{"t40", 1.722, .709, .0216, -.657, .0806, .1160, .01393},
                    PartFigures{"t30", 1.715, .703, .0220, -.656, .0815, .117, .0140},
                    PartFigures{"t20", 1.703, .689, .0235, -.653, .0840, .121, .0143},
                    PartFigures{"t12", 1.678, .662, .0267, -.648, .0893, .128, .0147},
                    PartFigures{"t8", 1.645, .624, .0315, -.642, .0963, .139, .0155},
                    PartFigures{"t4", 1.517, .487, .0629, -.621, .1269, .1805, .01940},
                    PartFigures{"laplace", 1.573, .550, .0509, -.631, .1536, .212, .0175},
                    PartFigures{"uniform", 1.972, .959, .0057, -.704, .0402, .058, .0115}),
    [](const auto& parameter) { return std::string(parameter.param.law); });

/// Total error over that with k = 0 rounded up, and the standard deviation of each.
struct SweepFigure {
  SweepScale scale;
  int bits;
  double gaussian;
  double t40;  ///< 0: not known
  double deviation;
};

constexpr std::array<SweepFigure, 22> kSweep{{
    {SweepScale::kRoundedUp, 1, .960, .956, .0013},
    {SweepScale::kRoundedUp, 2, .932, .922, .0015},
    {SweepScale::kRoundedUp, 3, .810, .796, .0013},
    {SweepScale::kRoundedUp, 4, .770, .754, .0011},
    {SweepScale::kRoundedUp, 5, .756, .739, .0010},
    {SweepScale::kRoundedUp, 8, .747, .731, .0010},
    {SweepScale::kNearest, 0, 1.208, 1.202, .0017},
    {SweepScale::kNearest, 1, .882, .870, .0014},
    {SweepScale::kNearest, 2, .780, .764, .0011},
    {SweepScale::kNearest, 3, .755, .738, .0013},
    {SweepScale::kNearest, 4, .748, .732, .0010},
    {SweepScale::kNearest, 5, .746, .730, .0010},
    {SweepScale::kNearest, 8, .746, 0, .0010},
    {SweepScale::kRoundedDown, 0, 2.803, 0, .0072},
    {SweepScale::kRoundedDown, 1, 1.223, 0, .0028},
    {SweepScale::kRoundedDown, 2, .836, 0, .0015},
    {SweepScale::kRoundedDown, 3, .754, 0, .0010},
    {SweepScale::kRoundedDown, 4, .741, 0, .0010},
    {SweepScale::kRoundedDown, 5, .741, 0, .0010},
    {SweepScale::kRoundedDown, 8, .745, 0, .0010},
    {SweepScale::kUnlimited, 0, .746, .730, .0010},
    {SweepScale::kBestPowerOfTwo, 0, .915, 0, .0006},
}};

TEST(ScaleSweepFigures, AreThoseOfTheLaws) {
  std::vector<ScaleChoice> choices{{SweepScale::kRoundedUp, 0}};
  for (const SweepFigure& figure : kSweep) {
    choices.push_back({figure.scale, figure.bits});
  }
  const std::vector<ScaleErrorSums> gaussian = sweep("gaussian", choices);
  const std::vector<ScaleErrorSums> t40 = sweep("t40", choices);
  for (size_t i = 0; i < kSweep.size(); ++i) {
    const SweepFigure& figure = kSweep[i];
    EXPECT_NEAR(gaussian[i + 1].total / gaussian[0].total, figure.gaussian,
                tolerance(figure.deviation))
        << i;
    if (figure.t40 != 0) {
      EXPECT_NEAR(t40[i + 1].total / t40[0].total, figure.t40, tolerance(figure.deviation)) << i;
    }
  }
}

TEST(ScaleSweepFigures, ScaleErrorFallsAsItsBitsGrow) {
  std::vector<ScaleChoice> choices;
  for (const int bits : {0, 1, 2, 3, 4, 5, 8}) {
    choices.push_back({SweepScale::kRoundedUp, bits});
  }
  constexpr std::array<double, 7> kScale{1.738, 1.661, 1.503, .889, .476, .246, .032};
  const std::vector<ScaleErrorSums> sums = sweep("gaussian", choices);
  for (size_t i = 0; i < kScale.size(); ++i) {
    EXPECT_NEAR(sums[i].scale / sums[0].total, kScale[i], tolerance(0.005)) << i;
  }
  EXPECT_NEAR(2 * sums[0].scale_grid / sums[0].total, -1.484, tolerance(0.003));
}

// Blocks of another length have shares of their own.
TEST(ScaleSweepFigures, FollowTheBlock) {
  const SyntheticTensor tensor(phased_set_up(find_law("gaussian"), 64, kValues, 2));
  struct BlockFigures {
    int block;
    double scale;
    double grid;
    double dead_zone;
  };
  for (const BlockFigures& expected :
       {BlockFigures{16, 1.684, .676, .0151}, BlockFigures{64, 1.750, .742, .0248}}) {
    const int64_t blocks_a_phase = 64 / expected.block;
    const ScaleErrorSums sums =
        sweep_scales({[&](int64_t row, float* values) { tensor.fill_row(row, values); },
                      tensor.spec().rows, tensor.spec().k, expected.block,
                      [&](int64_t row, int64_t block) {
                        return tensor.energy_weight(row, block / blocks_a_phase);
                      }},
                     {{SweepScale::kRoundedUp, 0}}, 1)[0];
    EXPECT_NEAR(sums.scale / sums.total, expected.scale, tolerance(0.0033));
    EXPECT_NEAR(sums.grid / sums.total, expected.grid, tolerance(0.002));
    EXPECT_NEAR(sums.dead_zone / sums.total, expected.dead_zone, tolerance(0.00015));
  }
}

}  // namespace
}  // namespace nibblecore
