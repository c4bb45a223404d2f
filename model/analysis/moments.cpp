// SPDX-License-Identifier: Apache-2.0
#include "model/analysis/moments.hpp"

#include <cmath>

#include "model/analysis/lane_sum.hpp"

namespace nibblecore {

Moments& Moments::operator+=(const Moments& other) {
  if (other.count == 0) {
    return *this;
  }
  if (count == 0) {
    return *this = other;
  }
  const auto a = static_cast<double>(count);
  const auto b = static_cast<double>(other.count);
  const double n = a + b;
  const double step = (other.mean - mean) / n;
  const double step2 = step * step;
  // step is the difference of the means over n; each term is homogeneous in it.
  fourths += other.fourths + step2 * step2 * a * b * n * (a * a - a * b + b * b) +
             6 * step2 * (a * a * other.squares + b * b * squares) +
             4 * step * (a * other.cubes - b * cubes);
  cubes += other.cubes + step2 * step * a * b * n * (a - b) +
           3 * step * (a * other.squares - b * squares);
  squares += other.squares + step2 * a * b * n;
  mean += step * b;
  count += other.count;
  return *this;
}

double Moments::variance() const { return count == 0 ? 0 : squares / static_cast<double>(count); }

double Moments::deviation() const { return std::sqrt(variance()); }

double Moments::kurtosis() const {
  return squares == 0 ? 0 : fourths * static_cast<double>(count) / (squares * squares);
}

Moments moments_of(const double* values, int64_t count) {
  Moments moments;
  if (count == 0) {
    return moments;
  }
  moments.count = count;
  moments.mean = lane_sum(count, [&](int64_t i) { return values[i]; }) / static_cast<double>(count);
  const double mean = moments.mean;
  moments.squares = lane_sum(count, [&](int64_t i) {
    const double difference = values[i] - mean;
    return difference * difference;
  });
  moments.cubes = lane_sum(count, [&](int64_t i) {
    const double difference = values[i] - mean;
    return difference * difference * difference;
  });
  moments.fourths = lane_sum(count, [&](int64_t i) {
    const double square = (values[i] - mean) * (values[i] - mean);
    return square * square;
  });
  return moments;
}

}  // namespace nibblecore
