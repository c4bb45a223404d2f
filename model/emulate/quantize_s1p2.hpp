// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "model/emulate/quantize_lanes.hpp"

namespace nibblecore {

/// What the two rules make of the same steps. Numbers here are not negative, so that their bits
/// order like them.
enum class Hif4Path {
  kAmct,  ///< FP32 products, scaled elements in BF16, a tie of quarters away from zero, no -0
  kA6,    ///< BF16 inputs and products, a tie of quarters to even
};

/// Bits of FP32 numbers to those of BF16 numbers, nearest even.
template <int Width>
[[gnu::always_inline]] inline void round_bits_to_bf16(typename QuantizeLanes<Width>::Int& bits) {
  bits += ((bits >> 16) & 1) + 0x7FFF;
  bits &= ~0xFFFF;
}

/// HiF4's elements, as encode_batch wants them.
template <Hif4Path kPath>
struct Hif4Coder {
  template <int Width>
  [[gnu::always_inline]] static void prepare(const typename QuantizeLanes<Width>::Int& bits,
                                             typename QuantizeLanes<Width>::Float& magnitudes) {
    typename QuantizeLanes<Width>::Int magnitude_bits = bits & 0x7FFFFFFF;
    if (kPath == Hif4Path::kA6) {
      round_bits_to_bf16<Width>(magnitude_bits);
    }
    magnitudes = reinterpret_cast<typename QuantizeLanes<Width>::Float>(magnitude_bits);
  }

  /// `scaled`: quarters before any rounding but that of the FP32 product.
  template <int Width>
  [[gnu::always_inline]] static void code(const typename QuantizeLanes<Width>::Int& bits,
                                          const typename QuantizeLanes<Width>::Float& scaled,
                                          typename QuantizeLanes<Width>::Int& code) {
    using Lanes = QuantizeLanes<Width>;
    using Int = typename Lanes::Int;
    using Float = typename Lanes::Float;
    constexpr int32_t kBitsOfSeven = 0x40E00000;
    Int quarters = reinterpret_cast<Int>(scaled);
    Int negative = bits;
    if (kPath == Hif4Path::kAmct) {
      // Where quarters round, at odd halves, BF16 significands are even: to find on which side the
      // BF16 number lies, it may as well be rounded half up.
      quarters = (quarters + 0x8000) & ~0xFFFF;
      Lanes::lower(Int{} + kBitsOfSeven, quarters);
      const Float sum = reinterpret_cast<Float>(quarters) + 0.5F;
      Lanes::truncate(sum, code);
      negative &= -(bits & 0x7FFFFFFF);
    } else {
      constexpr float kLastPlaceOne = 0x1.8p23F;
      round_bits_to_bf16<Width>(quarters);
      Lanes::lower(Int{} + kBitsOfSeven, quarters);
      const Float sum = reinterpret_cast<Float>(quarters) + kLastPlaceOne;
      code = reinterpret_cast<Int>(sum) & 7;
    }
    code |= (negative >> 28) & 8;
  }
};

}  // namespace nibblecore
