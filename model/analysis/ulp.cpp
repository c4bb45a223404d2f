// SPDX-License-Identifier: Apache-2.0
#include "model/analysis/ulp.hpp"

#include <algorithm>

#include "model/common/bits.hpp"
#include "model/formats/fp32.hpp"

namespace nibblecore {
namespace {

/// Position of an FP32 number on the line; 0 for both zeros.
int64_t position(uint32_t bits) {
  const auto magnitude = static_cast<int64_t>(bits & ~kFp32SignBit);
  return (bits & kFp32SignBit) != 0 ? -magnitude : magnitude;
}

/// 0, 1, 2, then one bin for every power of two that ends it.
size_t bin_of(uint32_t distance) {
  return distance == 0 ? 0 : static_cast<size_t>(1 + bit_width(distance - 1));
}

constexpr auto kLargestDistance = uint32_t{2} * kFp32Infinity;

}  // namespace

std::optional<uint32_t> ulp_distance(uint32_t x, uint32_t y) {
  if (fp32_is_nan(x) || fp32_is_nan(y)) {
    return fp32_is_nan(x) && fp32_is_nan(y) ? std::optional<uint32_t>(0) : std::nullopt;
  }
  const int64_t difference = position(x) - position(y);
  return static_cast<uint32_t>(difference < 0 ? -difference : difference);
}

std::string UlpBin::label() const {
  return first == last ? std::to_string(first) : std::to_string(first) + "-" + std::to_string(last);
}

void UlpHistogram::add(uint32_t x, uint32_t y) {
  const std::optional<uint32_t> distance = ulp_distance(x, y);
  if (!distance) {
    ++nan_mismatches_;
    return;
  }
  ++counts_[bin_of(*distance)];
  max_ = std::max(max_, *distance);
}

UlpHistogram& UlpHistogram::operator+=(const UlpHistogram& other) {
  for (size_t i = 0; i < counts_.size(); ++i) {
    counts_[i] += other.counts_[i];
  }
  nan_mismatches_ += other.nan_mismatches_;
  max_ = std::max(max_, other.max_);
  return *this;
}

uint64_t UlpHistogram::count() const {
  uint64_t sum = nan_mismatches_;
  for (const uint64_t count : counts_) {
    sum += count;
  }
  return sum;
}

std::vector<UlpBin> UlpHistogram::bins() const {
  std::vector<UlpBin> bins{{0, 0, counts_[0]}, {1, 1, counts_[1]}};
  for (size_t i = 2; i < counts_.size(); ++i) {
    const auto last = std::min(uint64_t{1} << (i - 1), uint64_t{kLargestDistance});
    bins.push_back({bins.back().last + 1, static_cast<uint32_t>(last), counts_[i]});
  }
  return bins;
}

}  // namespace nibblecore
