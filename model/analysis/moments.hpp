// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace nibblecore {

/// Count, mean and sums of powers of differences from the mean of some numbers. Merging is exact in
/// real numbers (Pebay, Sandia report SAND2008-6212), so nothing cancels as it does in differences
/// of raw power sums; merge in a fixed order to get the same bits on any number of threads.
struct Moments {
  int64_t count = 0;
  double mean = 0;
  double squares = 0;  ///< sum of (x - mean)^2
  double cubes = 0;    ///< sum of (x - mean)^3
  double fourths = 0;  ///< sum of (x - mean)^4

  Moments& operator+=(const Moments& other);

  /// squares / count; 0 for no numbers.
  double variance() const;
  /// The square root of the variance.
  double deviation() const;
  /// Fourth central moment over the squared variance (3 for a Gaussian, no bias correction); 0
  /// where the variance is 0.
  double kurtosis() const;
};

/// The moments of `count` finite numbers: the mean first, then the differences from it.
Moments moments_of(const double* values, int64_t count);

}  // namespace nibblecore
