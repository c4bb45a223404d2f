// SPDX-License-Identifier: Apache-2.0
#include "model/quantize/operand_statistics.hpp"

#include <cmath>
#include <limits>
#include <vector>

#include <gtest/gtest.h>

#include "model/common/error.hpp"
#include "model/quantize/quantize.hpp"

namespace nibblecore {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();

OperandStatistics statistics_of(const std::vector<float>& values, int64_t rows,
                                const Preset& preset, int threads = 1) {
  const MatrixView view =
      row_major_view(values.data(), rows, static_cast<int64_t>(values.size()) / rows);
  return operand_statistics(view, quantize(view, preset, 1), threads);
}

void expect_counts(const OperandStatistics& statistics, int64_t non_zero, int64_t underflows,
                   int64_t saturations) {
  EXPECT_EQ(statistics.non_zero, non_zero);
  EXPECT_EQ(statistics.underflows, underflows);
  EXPECT_EQ(statistics.saturations, saturations);
}

TEST(OperandStatistics, Mxfp4) {
  // Floor makes 7 saturate at 6 scales of 1; 0.25 is a tie that goes to zero.
  const std::vector<float> values{7, -7, 6, 0.25F, -0.25F, 0.3F, 0, -0.0F, 1e-30F};
  expect_counts(statistics_of(values, 1, preset(kMxfp4, "floor")), 7, 3, 2);
  // Rceil takes 2 as the scale instead: nothing saturates, 0.3 underflows too.
  expect_counts(statistics_of(values, 1, preset(kMxfp4, "rceil")), 7, 4, 0);
}

TEST(OperandStatistics, ValueAtTheLimitDoesNotSaturate) {
  const float limit = 6.0F;
  expect_counts(statistics_of({std::nextafter(limit, 9.0F), limit}, 1, preset(kMxfp4, "floor")), 2,
                0, 1);
}

TEST(OperandStatistics, NonFiniteInputsAndNanBlocksCountNothing) {
  std::vector<float> values(64, 1.0F);
  values[3] = kInfinity;
  values[4] = std::numeric_limits<float>::quiet_NaN();
  values[5] = 1e-30F;
  values[40] = 1e-30F;
  expect_counts(statistics_of(values, 1, preset(kMxfp4, "rceil")), 62, 1, 0);
  expect_counts(statistics_of(values, 1, preset(kHif4, "amct")), 62, 0, 0);
}

TEST(OperandStatistics, Hif4LimitsFollowTheMicroExponents) {
  // 7.875 chooses scale 1: its own group reaches 7, a group without micro-exponents 1.75. 1.9
  // lies beyond the latter and 1.7 doesn't; 0.1 underflows, 0.13 does not.
  std::vector<float> values(64, 0.0F);
  values[0] = -7.875F;
  values[8] = 1.9F;
  values[16] = 1.7F;
  values[24] = -0.1F;
  values[32] = 0.13F;
  expect_counts(statistics_of(values, 1, preset(kHif4, "amct")), 5, 1, 2);
  values[0] = 7.0F;
  expect_counts(statistics_of(values, 1, preset(kHif4, "amct")), 5, 1, 1);
}

TEST(OperandStatistics, Nvfp4IncludesTheTensorScale) {
  // The tensor's factor is 2688 / 5376 = 1/2. First block: scale 448, limit 5376. Second: largest
  // 12.5, scale 1.0416.. rounds to 1, limit 12, so 12.5 saturates. Third: scale under 2^-10, zero.
  std::vector<float> values(48, 0.0F);
  values[0] = 5376.0F;
  values[1] = 1.0F;
  values[16] = -12.5F;
  values[17] = 12.0F;
  values[32] = 0.001F;
  expect_counts(statistics_of(values, 1, preset(kNvfp4, "")), 5, 2, 1);
}

TEST(OperandStatistics, ThreadsAddUp) {
  std::vector<float> values;
  for (int row = 0; row < 100; ++row) {
    values.insert(values.end(), {7, 0.1F, 0});
  }
  for (const int threads : {1, 2, 5}) {
    expect_counts(statistics_of(values, 100, preset(kMxfp4, "floor"), threads), 200, 100, 100);
  }
}

TEST(OperandStatistics, SizesMustAgree) {
  const std::vector<float> values(64, 1.0F);
  const PackedMatrix packed = quantize(row_major_view(values.data(), 2, 32), preset(kMxfp4, ""), 1);
  EXPECT_THROW(operand_statistics(row_major_view(values.data(), 1, 64), packed, 1), InternalError);
}

}  // namespace
}  // namespace nibblecore
