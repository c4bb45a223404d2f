// SPDX-License-Identifier: Apache-2.0
#include "model/quantize/noise.hpp"

#include <cmath>

#include <gmock/gmock.h>

#include "model/synthetic/law.hpp"
#include "tests/unit/quantize/corrected_operands.hpp"

namespace nibblecore {
namespace {

using ::testing::HasSubstr;

TEST(NoiseSchedule, FallsGeometricallyOverItsNoisyStages) {
  const NoiseSchedule silent;  // 1e-2 to 5e-4 in 10 stages, the first without noise
  EXPECT_EQ(noise_sigma(silent, 1), 0.0);
  EXPECT_EQ(noise_sigma(silent, 2), 1e-2);
  EXPECT_DOUBLE_EQ(noise_sigma(silent, 6), std::sqrt(1e-2 * 5e-4));
  EXPECT_DOUBLE_EQ(noise_sigma(silent, 10), 5e-4);
  const NoiseSchedule noisy{1e-2, 1e-3, 5, FirstStage::kNoisy};
  EXPECT_EQ(noise_sigma(noisy, 1), 1e-2);
  EXPECT_DOUBLE_EQ(noise_sigma(noisy, 3), std::sqrt(1e-2 * 1e-3));
  EXPECT_DOUBLE_EQ(noise_sigma(noisy, 5), 1e-3);
  EXPECT_EQ(noise_sigma({1e-2, 1e-3, 2, FirstStage::kSilent}, 2), 1e-2);
}

TEST(NoiseSchedule, StagesAreEqual) {
  const NoiseSchedule schedule;
  EXPECT_EQ(noise_stage(schedule, 0, 100), 1);
  EXPECT_EQ(noise_stage(schedule, 9, 100), 1);
  EXPECT_EQ(noise_stage(schedule, 10, 100), 2);
  EXPECT_EQ(noise_stage(schedule, 99, 100), 10);
  EXPECT_EQ(noise_stage(schedule, 1, 3), 4);  // from a third on
  EXPECT_EQ(noise_stage(schedule, (int64_t{1} << 62) - 1, int64_t{1} << 62), 10);
}

TEST(NoiseSchedule, RefusesWhatItCannotSay) {
  EXPECT_THAT(input_error([] { noise_sigma({}, 0); }), HasSubstr("stage 0"));
  EXPECT_THAT(input_error([] { noise_sigma({}, 11); }), HasSubstr("stage 11"));
  EXPECT_THAT(input_error([] {
                noise_sigma({0, 1e-3, 4, FirstStage::kNoisy}, 1);
              }),
              HasSubstr("not positive"));
  EXPECT_THAT(input_error([] {
                noise_sigma({1e-2, NAN, 4, FirstStage::kNoisy}, 1);
              }),
              HasSubstr("not positive"));
  EXPECT_THAT(input_error([] {
                noise_sigma({1e-2, 1e-3, 1, FirstStage::kSilent}, 1);
              }),
              HasSubstr("leave none"));
  EXPECT_THAT(input_error([] { noise_stage({}, 100, 100); }), HasSubstr("step 100"));
}

TEST(Noise, AddsTheElementsNumberRoundedOnce) {
  const Noise noise{0.01, {5, Stream::kNoise, 2}};
  // A transposed view of a tensor of 7 columns, within a larger one.
  const ElementIndex elements{100, 1, 7};
  std::vector<float> values{1.0F, -0.5F, 0.0F};
  add_noise(noise, elements, 3, 3, values.data());
  const std::vector<double> before{1.0, -0.5, 0.0};
  for (size_t i = 0; i < 3; ++i) {
    const double z = draw(find_law("gaussian"), noise.random, 100 + 3 + 7 * i);
    EXPECT_EQ(values[i], static_cast<float>(before[i] + 0.01 * z)) << i;
  }
}

TEST(Noise, HasTheGivenDeviation) {
  std::vector<float> values(1 << 14, 1.0F);
  add_noise({0.05, {5, Stream::kNoise, 0}}, {0, 1 << 14, 1}, 0, 1 << 14, values.data());
  double sum = 0;
  double squares = 0;
  for (const float value : values) {
    sum += value - 1.0;
    squares += (value - 1.0) * (value - 1.0);
  }
  // Four standard errors: 1 / 128 and sqrt(2) / 128.
  EXPECT_NEAR(sum / (1 << 14) / 0.05, 0, 4.0 / 128);
  EXPECT_NEAR(squares / (1 << 14) / (0.05 * 0.05), 1, 4 * std::sqrt(2.0) / 128);
}

}  // namespace
}  // namespace nibblecore
