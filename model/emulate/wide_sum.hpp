// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace nibblecore {

/// A sum of FP64 numbers and of products of two, exact whatever their exponents: a fixed-point
/// number in digits of 32 bits, which take in carries later (Kulisch's long accumulator).
///
/// Addends must be whole multiples of 2^kLowestBit and below 2^(kLowestBit + 32 * kDigits - 64):
/// the products of two E8M0 scales, two FP16 factors, an FP32 alpha and any sum of elements are.
class WideSum {
 public:
  static constexpr int kLowestBit = -464;
  static constexpr size_t kDigits = 32;

  /// Adds x * y. What a factor that is not finite adds is not defined.
  void add(double x, double y = 1.0);

  /// The sum as FP64, with its last bit set where bits below are lost: every rounding to 51 bits or
  /// fewer is that of the sum itself. An exact zero is +0.
  double rounded_to_odd() const;

 private:
  using Digits = std::array<int64_t, kDigits>;

  void carry();

  Digits digits_{};
  int64_t additions_ = 0;  ///< since digits were below 2^32
};

}  // namespace nibblecore
