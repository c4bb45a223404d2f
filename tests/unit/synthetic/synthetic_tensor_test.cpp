// SPDX-License-Identifier: Apache-2.0
#include "model/synthetic/synthetic_tensor.hpp"

#include <cmath>
#include <limits>
#include <set>

#include <gtest/gtest.h>

#include "model/common/error.hpp"

namespace nibblecore {
namespace {

SyntheticSpec small_spec() {
  SyntheticSpec spec;
  spec.rows = 5;
  spec.k = 72;
  spec.seed = 0x123456789ABC;
  spec.tensor = 2;
  return spec;
}

TEST(SyntheticTensor, DrawsEachElementByItsRowMajorIndex) {
  const SyntheticSpec spec = small_spec();
  const std::vector<float> values = SyntheticTensor(spec).values(1);
  ASSERT_EQ(values.size(), 360);
  const RandomStream random{spec.seed, Stream::kSyntheticData, spec.tensor};
  for (size_t i = 0; i < values.size(); ++i) {
    ASSERT_EQ(values[i], static_cast<float>(draw(spec.law, random, i))) << i;
  }
}

TEST(SyntheticTensor, DependsNeitherOnThreadsNorOnTheOrderOfRows) {
  SyntheticSpec spec = small_spec();
  spec.phase_length = 32;
  spec.outlier_rate = 0.1;
  spec.outlier_factor = 30;
  const SyntheticTensor tensor(spec);
  const std::vector<float> values = tensor.values(1);
  EXPECT_EQ(tensor.values(3), values);
  std::vector<float> backwards(values.size());
  for (int64_t row = spec.rows - 1; row >= 0; --row) {
    tensor.fill_row(row, backwards.data() + row * spec.k);
  }
  EXPECT_EQ(backwards, values);
}

TEST(SyntheticTensor, SeedAndOrdinalChangeTheValues) {
  std::set<float> firsts;
  for (const uint64_t seed : {uint64_t{1}, uint64_t{2}, uint64_t{1} << 32}) {
    for (const uint32_t ordinal : {0U, 1U}) {
      SyntheticSpec spec = small_spec();
      spec.seed = seed;
      spec.tensor = ordinal;
      firsts.insert(SyntheticTensor(spec).values(1)[0]);
    }
  }
  EXPECT_EQ(firsts.size(), 6);
}

TEST(SyntheticTensor, PhasesScaleRunsOfEachRow) {
  SyntheticSpec spec = small_spec();
  const std::vector<float> plain = SyntheticTensor(spec).values(1);
  spec.phase_length = 32;
  const SyntheticTensor phased(spec);
  const std::vector<float> values = phased.values(1);
  std::set<double> factors;
  for (int64_t row = 0; row < spec.rows; ++row) {
    for (int64_t column = 0; column < spec.k; ++column) {
      const double factor = phased.phase_factor(row, column / 32);
      const auto i = static_cast<size_t>(row * spec.k + column);
      ASSERT_NEAR(values[i], plain[i] * factor, 2e-7 * std::fabs(values[i]));
      factors.insert(factor);
      EXPECT_EQ(phased.energy_weight(row, column / 32), 1 / (factor * factor));
    }
  }
  EXPECT_EQ(factors.size(), 15);  // three runs a row, the last of 8
  EXPECT_GT(*factors.begin(), 1);
  EXPECT_LT(*factors.rbegin(), 2);
}

TEST(SyntheticTensor, LogarithmsOfPhasesAreUniform) {
  const SyntheticTensor tensor(phased_set_up(kLaws[0], 32, int64_t{1} << 19, 9));
  constexpr int kCount = 1 << 14;
  double sum = 0;
  double squares = 0;
  for (int i = 0; i < kCount; ++i) {
    const double octave = std::log2(tensor.phase_factor(i / 128, i % 128));
    sum += octave;
    squares += octave * octave;
  }
  EXPECT_NEAR(sum / kCount, 1.0 / 2, 4 * std::sqrt(1.0 / 12 / kCount));
  EXPECT_NEAR(squares / kCount, 1.0 / 3, 4 * std::sqrt(4.0 / 45 / kCount));
}

TEST(SyntheticTensor, MultipliesExactlyTheShareOfOutlierChannels) {
  SyntheticSpec spec = small_spec();
  spec.scale = 0.5;
  const std::vector<float> plain = SyntheticTensor(spec).values(1);
  spec.outlier_rate = 0.1;
  spec.outlier_factor = 32;
  const std::vector<float> values = SyntheticTensor(spec).values(1);
  int outliers = 0;
  for (int64_t column = 0; column < spec.k; ++column) {
    const auto first = static_cast<size_t>(column);
    const float factor = values[first] / plain[first];
    ASSERT_TRUE(factor == 1 || factor == 32) << factor;
    outliers += factor == 32 ? 1 : 0;
    for (int64_t row = 1; row < spec.rows; ++row) {
      const auto i = static_cast<size_t>(row * spec.k + column);
      ASSERT_EQ(values[i], plain[i] * factor);
    }
  }
  EXPECT_EQ(outliers, 7);  // 7.2 to the nearest
}

TEST(SyntheticTensor, TensorsOfOneChannelSeedHaveTheSameOutlierChannels) {
  SyntheticSpec spec = small_spec();
  spec.outlier_rate = 0.1;
  spec.outlier_factor = 0;  // leaves zeros
  const auto zeros = [](const SyntheticSpec& tensor) {
    std::set<size_t> channels;
    const std::vector<float> values = SyntheticTensor(tensor).values(1);
    for (size_t channel = 0; channel < 72; ++channel) {
      if (values[channel] == 0) {
        channels.insert(channel);
      }
    }
    return channels;
  };
  const std::set<size_t> own = zeros(spec);
  SyntheticSpec other = spec;
  other.seed = 9;
  EXPECT_NE(zeros(other), own);
  other.channel_seed = spec.seed;
  EXPECT_EQ(zeros(other), own);
}

TEST(SyntheticTensor, SetUpsHaveTheValuesAskedFor) {
  const SyntheticSpec large = phased_set_up(find_law("t4"), 128, 8192, 3);
  EXPECT_EQ(large.rows, 2);
  EXPECT_EQ(large.k, 4096);
  EXPECT_EQ(large.phase_length, 128);
  EXPECT_EQ(large.law.name, "t4");
  EXPECT_EQ(phased_set_up(kLaws[0], 32, 256, 3).k, 256);
  EXPECT_THROW(phased_set_up(kLaws[0], 32, 0, 3), InputError);
  EXPECT_THROW(phased_set_up(kLaws[0], 32, 4097, 3), InputError);
  EXPECT_THROW(phased_set_up(kLaws[0], 32, 64, 3), InputError);
}

TEST(SyntheticTensor, RefusesWhatIsNoTensor) {
  const auto refuses = [](auto change) {
    SyntheticSpec spec = small_spec();
    change(spec);
    EXPECT_THROW(SyntheticTensor tensor(spec), InputError);
  };
  refuses([](SyntheticSpec& spec) { spec.rows = -1; });
  refuses([](SyntheticSpec& spec) { spec.k = -1; });
  refuses([](SyntheticSpec& spec) { spec.rows = int64_t{1} << 62; });
  refuses([](SyntheticSpec& spec) { spec.phase_length = -32; });
  refuses([](SyntheticSpec& spec) { spec.outlier_rate = 1.01; });
  refuses([](SyntheticSpec& spec) { spec.outlier_rate = std::nan(""); });
  refuses(
      [](SyntheticSpec& spec) { spec.outlier_factor = std::numeric_limits<double>::infinity(); });
  refuses([](SyntheticSpec& spec) { spec.scale = std::nan(""); });
}

}  // namespace
}  // namespace nibblecore
