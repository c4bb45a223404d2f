// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <cstring>

#include "model/emulate/quantize_shuffles.hpp"
#include "model/formats/matrix_view.hpp"

namespace nibblecore {

/// What the kernels of quantizers and dequantizers are written in: vectors of `Width` lanes of 32
/// bits, as wide as the registers of the target that they are compiled for.
template <int Width>
struct QuantizeLanes : QuantizeShuffles<Width> {
  using Int = typename QuantizeShuffles<Width>::Int;
  using Word = typename QuantizeShuffles<Width>::Word;
  using Float = typename QuantizeShuffles<Width>::Float;
  using Pair = typename QuantizeShuffles<Width>::Pair;
  using Bytes = typename QuantizeShuffles<Width>::Bytes;

  template <class Vector>
  [[gnu::always_inline]] static void load(const void* from, Vector& vector) {
    std::memcpy(&vector, from, sizeof vector);
  }

  template <class Vector>
  [[gnu::always_inline]] static void store(const Vector& vector, void* to) {
    std::memcpy(to, &vector, sizeof vector);
  }

  /// FP32 bits of the `index`-th vector of values.
  template <ValueType kType>
  [[gnu::always_inline]] static void load_bits(const unsigned char* values, int64_t index,
                                               Int& bits) {
    if constexpr (kType == ValueType::kBf16) {
      typename QuantizeShuffles<Width>::Narrow16 halves;
      load(values + index * 2 * Width, halves);
      QuantizeShuffles<Width>::widen(halves, bits);
      shift_left<16>(bits);
    } else {
      load(values + index * 4 * Width, bits);
    }
  }

  /// The same without signs.
  template <ValueType kType>
  [[gnu::always_inline]] static void load_magnitudes(const unsigned char* values, int64_t index,
                                                     Int& magnitudes) {
    load_bits<kType>(values, index, magnitudes);
    magnitudes &= 0x7FFFFFFF;
  }

  /// Lets bits fall out at the top.
  template <int kPlaces>
  [[gnu::always_inline]] static void shift_left(Int& lanes) {
    lanes = reinterpret_cast<Int>(reinterpret_cast<Word>(lanes) << kPlaces);
  }

  [[gnu::always_inline]] static void raise(const Int& to, Int& lanes) {
    lanes = to > lanes ? to : lanes;
  }

  [[gnu::always_inline]] static void lower(const Int& to, Int& lanes) {
    lanes = to < lanes ? to : lanes;
  }

  /// Lane [i][j]: the largest of the i-th four of vector j of four.
  [[gnu::always_inline]] static void largest_of_fours(const Int& vector_0, const Int& vector_1,
                                                      const Int& vector_2, const Int& vector_3,
                                                      Int& largest) {
    Int low;
    Int high;
    larger_neighbours(vector_0, vector_1, low);
    larger_neighbours(vector_2, vector_3, high);
    larger_neighbours(low, high, largest);
  }

  /// Stores the low byte of every lane.
  [[gnu::always_inline]] static void store_bytes(const Int& lanes, uint8_t* to) {
    typename QuantizeShuffles<Width>::Narrow8 bytes;
    QuantizeShuffles<Width>::narrow(lanes, bytes);
    store(bytes, to);
  }

  /// Lane i: the largest lane of the i-th of `Width` vectors.
  [[gnu::always_inline]] static void largest_of_each(const int32_t* vectors, Int& largest) {
    largest_of<Width>(vectors, largest);
  }

  /// Multiplies a vector of values, from the `first`-th of a batch on, by their factors, of which
  /// there is one for kEach values: for one alone, or for whole vectors.
  template <int kEach>
  [[gnu::always_inline]] static void scale(const float* factors, int64_t first, Float& lanes) {
    if constexpr (kEach == 1) {
      Float factor;
      load(factors + first, factor);
      lanes *= factor;
    } else {
      static_assert(kEach >= Width);
      lanes *= factors[first / kEach];
    }
  }

  /// Stores four vectors: lane [i][j] in all of the i-th four of vector j.
  [[gnu::always_inline]] static void store_fours(const Float& lanes, float* to) {
    Float part_0;
    Float part_1;
    Float part_2;
    Float part_3;
    QuantizeShuffles<Width>::repeat_4(lanes, part_0, part_1, part_2, part_3);
    store(part_0, to);
    store(part_1, to + kWidth);
    store(part_2, to + 2 * kWidth);
    store(part_3, to + 3 * kWidth);
  }

  /// The codes in packed ones.
  [[gnu::always_inline]] static void load_codes(const uint8_t* packed, Int& codes) {
    uint64_t bytes = 0;
    std::memcpy(&bytes, packed, Width / 2);
    Pair pairs;
    QuantizeShuffles<Width>::spread_bytes(bytes, pairs);
    pairs &= 0xFF;
    pairs |= pairs << 28;
    codes = reinterpret_cast<Int>(pairs) & 0xF;
  }

  /// Vectors whose codes fill one vector.
  static constexpr int kPackedVectors = 8;

  /// Puts the codes, 0..15, of the `place`-th of kPackedVectors vectors into `packed`.
  [[gnu::always_inline]] static void add_codes(const Int& codes, int place, Pair& packed) {
    const Pair pairs = reinterpret_cast<Pair>(codes);
    packed |= ((pairs | (pairs >> 28)) & 0xFF) << (8 * place);
  }

  /// Stores what add_codes made as packed codes.
  [[gnu::always_inline]] static void store_codes(const Pair& packed, uint8_t* to) {
    Bytes bytes = reinterpret_cast<Bytes>(packed);
    QuantizeShuffles<Width>::transpose(bytes);
    store(bytes, to);
  }

 private:
  static constexpr int64_t kWidth = Width;

  [[gnu::always_inline]] static void larger_neighbours(const Int& low, const Int& high,
                                                       Int& larger) {
    Int odd;
    QuantizeShuffles<Width>::split(low, high, larger, odd);
    raise(odd, larger);
  }

  /// Lane [i][j]: the largest of some fours of vector j, kCount / 4 groups i of them.
  template <int kCount>
  [[gnu::always_inline]] static void largest_of(const int32_t* vectors, Int& largest) {
    if constexpr (kCount == 4) {
      Int vector_0;
      Int vector_1;
      Int vector_2;
      Int vector_3;
      load(vectors, vector_0);
      load(vectors + kWidth, vector_1);
      load(vectors + 2 * kWidth, vector_2);
      load(vectors + 3 * kWidth, vector_3);
      largest_of_fours(vector_0, vector_1, vector_2, vector_3, largest);
    } else {
      Int low;
      Int high;
      Int odd;
      largest_of<kCount / 2>(vectors, low);
      largest_of<kCount / 2>(vectors + kCount / 2 * kWidth, high);
      QuantizeShuffles<Width>::split_fours(low, high, largest, odd);
      raise(odd, largest);
    }
  }
};

}  // namespace nibblecore
