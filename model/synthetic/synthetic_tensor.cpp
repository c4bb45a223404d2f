// SPDX-License-Identifier: Apache-2.0
#include "model/synthetic/synthetic_tensor.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "model/common/checked.hpp"
#include "model/common/error.hpp"
#include "model/common/parallel.hpp"
#include "model/synthetic/elementary.hpp"

namespace nibblecore {
namespace {

constexpr double kLn2 = 0x1.62e42fefa39efp-1;
constexpr int64_t kSetUpRow = 4096;

void check(const SyntheticSpec& spec) {
  if (spec.rows < 0 || spec.k < 0) {
    throw InputError("synthetic tensor", "its size is negative");
  }
  checked_multiply(spec.rows, spec.k, "synthetic tensor");
  if (spec.phase_length < 0) {
    throw InputError("synthetic tensor", "its phase length is negative");
  }
  if (!(spec.outlier_rate >= 0 && spec.outlier_rate <= 1)) {
    throw InputError("synthetic tensor", "its outlier rate is not within 0 to 1");
  }
  if (!std::isfinite(spec.outlier_factor) || !std::isfinite(spec.scale)) {
    throw InputError("synthetic tensor", "a factor is not finite");
  }
}

/// The outlier channels: those with the smallest random words.
std::vector<int64_t> outlier_channels(const SyntheticSpec& spec) {
  const RandomStream random{spec.channel_seed.value_or(spec.seed), Stream::kOutlierChannels,
                            spec.tensor};
  std::vector<std::pair<uint32_t, int64_t>> order;
  order.reserve(static_cast<size_t>(spec.k));
  for (int64_t channel = 0; channel < spec.k; ++channel) {
    order.emplace_back(random_words(random, static_cast<uint64_t>(channel))[0], channel);
  }
  std::sort(order.begin(), order.end());
  const double count = std::floor(spec.outlier_rate * static_cast<double>(spec.k) + 0.5);
  order.resize(static_cast<size_t>(count));
  std::vector<int64_t> channels;
  std::transform(order.begin(), order.end(), std::back_inserter(channels),
                 [](const auto& entry) { return entry.second; });
  return channels;
}

}  // namespace

SyntheticSpec phased_set_up(const Law& law, int64_t phase_length, int64_t values, uint64_t seed) {
  const bool short_row = values >= 128 && values < kSetUpRow && (values & (values - 1)) == 0;
  if (!short_row && (values <= 0 || values % kSetUpRow != 0)) {
    throw InputError("synthetic set-up", std::to_string(values) +
                                             " values are neither a multiple of 4096 nor a power "
                                             "of two from 128");
  }
  SyntheticSpec spec;
  spec.k = std::min(values, kSetUpRow);
  spec.rows = values / spec.k;
  spec.law = law;
  spec.phase_length = phase_length;
  spec.seed = seed;
  return spec;
}

SyntheticTensor::SyntheticTensor(const SyntheticSpec& spec) : spec_(spec) {
  check(spec);
  run_length_ = spec.phase_length == 0 ? std::max<int64_t>(1, spec.k) : spec.phase_length;
  channel_factors_.assign(static_cast<size_t>(spec.k), spec.scale);
  if (spec.outlier_rate > 0) {
    for (const int64_t channel : outlier_channels(spec)) {
      channel_factors_[static_cast<size_t>(channel)] *= spec.outlier_factor;
    }
  }
}

double SyntheticTensor::phase_factor(int64_t row, int64_t run) const {
  if (spec_.phase_length == 0) {
    return 1;
  }
  const RandomStream random{spec_.seed, Stream::kSyntheticPhases, spec_.tensor};
  const int64_t runs = ceil_divide(spec_.k, run_length_);
  return portable_exp(kLn2 * random_unit(random, static_cast<uint64_t>(row * runs + run)));
}

double SyntheticTensor::energy_weight(int64_t row, int64_t run) const {
  const double factor = phase_factor(row, run);
  return 1 / (factor * factor);
}

void SyntheticTensor::fill_row(int64_t row, float* values) const {
  const RandomStream random{spec_.seed, Stream::kSyntheticData, spec_.tensor};
  for (int64_t run = 0; run * run_length_ < spec_.k; ++run) {
    const double factor = phase_factor(row, run);
    const int64_t end = std::min(spec_.k, (run + 1) * run_length_);
    for (int64_t column = run * run_length_; column < end; ++column) {
      const double value = draw(spec_.law, random, static_cast<uint64_t>(row * spec_.k + column));
      values[column] =
          static_cast<float>(value * factor * channel_factors_[static_cast<size_t>(column)]);
    }
  }
}

std::vector<float> SyntheticTensor::values(int threads) const {
  std::vector<float> all(static_cast<size_t>(spec_.rows * spec_.k));
  parallel_for(spec_.rows, 1, threads, [&](int64_t begin, int64_t end) {
    for (int64_t row = begin; row < end; ++row) {
      fill_row(row, all.data() + row * spec_.k);
    }
  });
  return all;
}

}  // namespace nibblecore
