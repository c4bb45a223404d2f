// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>

#include "model/emulate/quantize_lanes.hpp"

namespace nibblecore {

/// Largest magnitudes, as FP32 bits, of a batch of `Width` blocks; NaN above all.
template <int Width, ValueType kType, int kBlock>
[[gnu::always_inline]] inline void largest_of_blocks(const unsigned char* values,
                                                     typename QuantizeLanes<Width>::Int& largest) {
  using Lanes = QuantizeLanes<Width>;
  constexpr int kVectors = kBlock / Width;
  std::array<int32_t, size_t{Width} * Width> maxima;
  for (int64_t block = 0; block < Width; ++block) {
    typename Lanes::Int of_block;
    Lanes::template load_magnitudes<kType>(values, block * kVectors, of_block);
    for (int i = 1; i < kVectors; ++i) {
      typename Lanes::Int next;
      Lanes::template load_magnitudes<kType>(values, block * kVectors + i, next);
      Lanes::raise(next, of_block);
    }
    Lanes::store(of_block, maxima.data() + block * Width);
  }
  Lanes::largest_of_each(maxima.data(), largest);
}

/// Packed codes of a batch of `Width` blocks, where kEach values share a factor:
/// Coder::prepare<Width>(bits, numbers) gives what the factor multiplies, Coder::code<Width>(bits,
/// products, codes) the codes.
template <int Width, ValueType kType, int kBlock, int kEach, class Coder>
[[gnu::always_inline]] inline void encode_batch(const unsigned char* values, const float* factors,
                                                uint8_t* codes) {
  using Lanes = QuantizeLanes<Width>;
  constexpr int64_t kPacked = Lanes::kPackedVectors;
  for (int64_t first = 0; first < kBlock; first += kPacked) {
    typename Lanes::Pair packed{};
#pragma GCC unroll 8
    for (int place = 0; place < kPacked; ++place) {
      const int64_t vector = first + place;
      typename Lanes::Int bits;
      typename Lanes::Float numbers;
      typename Lanes::Int code;
      Lanes::template load_bits<kType>(values, vector, bits);
      Coder::template prepare<Width>(bits, numbers);
      Lanes::template scale<kEach>(factors, vector * Width, numbers);
      Coder::template code<Width>(bits, numbers, code);
      Lanes::add_codes(code, place, packed);
    }
    Lanes::store_codes(packed, codes + first / kPacked * 4 * Width);
  }
}

}  // namespace nibblecore
