// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/emulate/dequantize_span.hpp"
#include "model/emulate/quantize_lanes.hpp"

namespace nibblecore {

/// The FP32 numbers of 64 packed codes, where kEach of them share a factor: those of
/// Decoder::decode<Width>(codes, numbers) times their factor, then times `tensor_scale`.
template <int Width, int kEach, class Decoder>
[[gnu::always_inline]] inline void decode_batch(const uint8_t* codes, const float* factors,
                                                float tensor_scale, float* values) {
  using Lanes = QuantizeLanes<Width>;
  constexpr int kValues = 64;
#pragma GCC unroll 4
  for (int first = 0; first < kValues; first += Width) {
    typename Lanes::Int code;
    typename Lanes::Float numbers;
    Lanes::load_codes(codes + first / 2, code);
    Decoder::template decode<Width>(code, numbers);
    Lanes::template scale<kEach>(factors, first, numbers);
    numbers *= tensor_scale;
    Lanes::store(numbers, values + first);
  }
}

/// A number with the sign of E2M1 and S1P2 codes.
template <int Width>
[[gnu::always_inline]] inline void set_signs(const typename QuantizeLanes<Width>::Int& codes,
                                             typename QuantizeLanes<Width>::Float& numbers) {
  using Int = typename QuantizeLanes<Width>::Int;
  using Float = typename QuantizeLanes<Width>::Float;
  Int bits = codes & 8;
  QuantizeLanes<Width>::template shift_left<28>(bits);
  bits |= reinterpret_cast<Int>(numbers);
  numbers = reinterpret_cast<Float>(bits);
}

}  // namespace nibblecore
