// SPDX-License-Identifier: Apache-2.0
#include "model/analysis/tensor_statistics.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "model/analysis/strips.hpp"

namespace nibblecore {
namespace {

void add_values(const float* values, int64_t count, TensorStatistics& sum) {
  std::vector<double> finite;
  finite.reserve(static_cast<size_t>(count));
  for (int64_t i = 0; i < count; ++i) {
    if (std::isfinite(values[i])) {
      finite.push_back(double{values[i]});
      sum.zeros += values[i] == 0 ? 1 : 0;
      sum.amax = std::max(sum.amax, std::fabs(finite.back()));
    }
  }
  const auto finite_count = static_cast<int64_t>(finite.size());
  sum.elements += count;
  sum.non_finite += count - finite_count;
  sum.moments += moments_of(finite.data(), finite_count);
}

}  // namespace

TensorStatistics& TensorStatistics::operator+=(const TensorStatistics& other) {
  elements += other.elements;
  zeros += other.zeros;
  non_finite += other.non_finite;
  amax = std::max(amax, other.amax);
  moments += other.moments;
  return *this;
}

double TensorStatistics::rms() const {
  return std::sqrt(moments.variance() + moments.mean * moments.mean);
}

double TensorStatistics::peak_to_rms() const { return amax == 0 ? 0 : amax / rms(); }

TensorStatistics tensor_statistics(const BlockedRows& tensor, int threads) {
  return sum_over_strips<TensorStatistics>(
      tensor, threads, [](const Strip& strip, const float* values, TensorStatistics& sum) {
        add_values(values, strip.rows * strip.k, sum);
      });
}

TensorStatistics tensor_statistics(const MatrixView& matrix, int threads) {
  return tensor_statistics(blocked_rows(matrix), threads);
}

}  // namespace nibblecore
