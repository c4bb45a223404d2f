// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "model/formats/number_format.hpp"
#include "model/formats/rounding.hpp"

namespace nibblecore {

/// Rounds magnitudes to the eight of a 4-bit element format (E2M1, S1P2), saturating at the
/// largest: the same codes as round_magnitude, by seven exact comparisons. Stochastic rounding
/// truncates and then goes up by its random bits.
class ElementRounding {
 public:
  constexpr ElementRounding(const NumberFormat& element, Rounding rounding)
      : stochastic_(rounding == Rounding::kStochastic) {
    for (uint32_t code = 0; code <= kLimits; ++code) {
      values_[code] = element_value(element, code);
    }
    for (uint32_t lower = 0; lower < kLimits; ++lower) {
      const double low = values_[lower];
      const double high = values_[lower + 1];
      const bool truncates = rounding == Rounding::kTowardZero || stochastic_;
      limits_[lower] = truncates ? high : (low + high) / 2;
      limit_goes_up_[lower] = truncates || rounding == Rounding::kNearestAway ||
                              (rounding == Rounding::kNearestEven && lower % 2 == 1);
    }
  }

  /// Magnitude code 0..7 of `magnitude` >= 0, infinity included; a NaN gives 0. Stochastic rounding
  /// stays at the lower one, as with random bits of 0.
  constexpr uint8_t code(double magnitude) const {
    unsigned code = 0;
    for (size_t i = 0; i < kLimits; ++i) {
      const bool above = magnitude > limits_[i];
      const bool at_limit = magnitude == limits_[i];
      code += static_cast<unsigned>(above) | static_cast<unsigned>(at_limit & limit_goes_up_[i]);
    }
    return static_cast<uint8_t>(code);
  }

  /// The same with 16 random bits r, which only stochastic rounding heeds: between lo and hi it
  /// goes up where floor(2^16 (magnitude - lo) / (hi - lo)) + r >= 2^16. Every step is exact.
  uint8_t code(double magnitude, uint16_t random) const {
    return stochastic_ ? stochastic_code(magnitude, random) : code(magnitude);
  }

 private:
  uint8_t stochastic_code(double magnitude, uint16_t random) const;

  static constexpr size_t kLimits = 7;

  static constexpr double element_value(const NumberFormat& element, uint32_t code) {
    const ExactNumber number = decode(element, code);
    // Exponents of both element formats lie in -2..1.
    return number.significand * (number.exponent < 0 ? 1.0 / (1 << -number.exponent)
                                                     : static_cast<double>(1 << number.exponent));
  }

  bool stochastic_;
  std::array<double, kLimits + 1> values_{};   ///< the magnitudes of the codes
  std::array<double, kLimits> limits_{};       ///< where code i gives way to code i + 1
  std::array<bool, kLimits> limit_goes_up_{};  ///< whether the limit itself is code i + 1
};

/// The rounding to E2M1 and to S1P2.
const ElementRounding& e2m1_rounding(Rounding rounding);
const ElementRounding& s1p2_rounding(Rounding rounding);

}  // namespace nibblecore
