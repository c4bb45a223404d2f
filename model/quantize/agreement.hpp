// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <optional>

namespace nibblecore {

/// How a vector Q agrees with the x that it stands for, as sums in FP64 over pairs that are finite.
struct Agreement {
  double product = 0;    ///< <Q, x>
  double reference = 0;  ///< <x, x>
  double measured = 0;   ///< <Q, Q>

  void add(double x, double q) {
    if (std::isfinite(x) && std::isfinite(q)) {
      product += x * q;
      reference += x * x;
      measured += q * q;
    }
  }

  /// <Q, x> / <x, x>: 1 where Q is unbiased along x ; nothing for x = 0.
  std::optional<double> gain() const {
    return reference > 0 ? std::optional<double>(product / reference) : std::nullopt;
  }
  /// Cosine of the angle between Q and x; nothing where either is 0.
  std::optional<double> cosine() const {
    return reference > 0 && measured > 0
               ? std::optional<double>(product / std::sqrt(reference) / std::sqrt(measured))
               : std::nullopt;
  }
};

inline Agreement& operator+=(Agreement& sum, const Agreement& other) {
  sum.product += other.product;
  sum.reference += other.reference;
  sum.measured += other.measured;
  return sum;
}

}  // namespace nibblecore
