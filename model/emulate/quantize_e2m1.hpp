// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/emulate/quantize_lanes.hpp"
#include "model/formats/rounding.hpp"

namespace nibblecore {

/// Rounds to E2M1 in FP32 lanes. The sum of a number of the binade 2^e (at least 1, as E2M1's
/// smallest normal) and 2^(e + 22) has E2M1's last place there, 2^(e - 1), as its own: the one
/// rounding of that addition, to nearest even, is E2M1's.
template <int Width, Rounding kRounding>
struct E2m1Lanes {
  using Lanes = QuantizeLanes<Width>;
  using Int = typename Lanes::Int;
  using Word = typename Lanes::Word;
  using Float = typename Lanes::Float;

  /// Magnitude codes 0..7 of `magnitudes`, infinity included; anything of a NaN.
  [[gnu::always_inline]] static void round(const Float& magnitudes, Int& codes) {
    constexpr int32_t kBitsOfLargest = 0x40C00000;  // of 6
    constexpr int32_t kBitsOfOne = 0x3F800000;
    // The additional 2 in the last place makes up for the bias of the exponent field below.
    constexpr uint32_t kLastPlace = (22U << 23) + 2;
    // Bits of numbers that are not negative order like them.
    Int bits = reinterpret_cast<Int>(magnitudes);
    Lanes::lower(Int{} + kBitsOfLargest, bits);
    const Float held = reinterpret_cast<Float>(bits);
    Int binade = bits & 0x7F800000;
    Lanes::raise(Int{} + kBitsOfOne, binade);
    const Word offset_bits = reinterpret_cast<Word>(binade) + kLastPlace;
    const Float offset = reinterpret_cast<Float>(offset_bits);
    const Float sum = held + offset;
    // The low bits of the sum are 2 + the multiple of the last place. Each binade above 1 begins 2
    // codes later: 2 * (127 + e) + 2 is 2 * e, to eight bits.
    const Word code_bits = reinterpret_cast<Word>(sum) + (reinterpret_cast<Word>(binade) >> 22);
    codes = reinterpret_cast<Int>(code_bits) & 0xFF;
    if constexpr (kRounding != Rounding::kNearestEven) {
      correct(held - (sum - offset), reinterpret_cast<Float>(binade) * 0.25F, codes);
    }
    codes &= 7;
  }

 private:
  /// From nearest even to the rounding, given what it left (exactly) and half of the last place.
  [[gnu::always_inline]] static void correct(const Float& rest, const Float& half, Int& codes) {
    static_assert(kRounding != Rounding::kStochastic);
    if constexpr (kRounding == Rounding::kNearestAway) {
      codes -= rest == half;
    } else if constexpr (kRounding == Rounding::kNearestZero) {
      codes += rest == -half;
    } else if constexpr (kRounding == Rounding::kTowardZero) {
      codes += rest < 0;
    }
  }
};

}  // namespace nibblecore
