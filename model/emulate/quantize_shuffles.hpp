// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include <emmintrin.h>

namespace nibblecore {

/// Vectors of `Width` lanes of 32 bits, and others of as many or as few bytes.
template <int Width>
struct QuantizeVectors {
  using Int [[gnu::vector_size(4 * Width)]] = int32_t;
  using Word [[gnu::vector_size(4 * Width)]] = uint32_t;
  using Float [[gnu::vector_size(4 * Width)]] = float;
  /// A pair of lanes: the even one below.
  using Pair [[gnu::vector_size(4 * Width)]] = uint64_t;
  using Bytes [[gnu::vector_size(4 * Width)]] = uint8_t;
  /// One element a lane, narrower than the lane.
  using Narrow16 [[gnu::vector_size(2 * Width)]] = uint16_t;
  using Narrow8 [[gnu::vector_size(Width)]] = uint8_t;
};

/// What the compiler wants spelt out for each width: conversions, and shuffles with their indices.
/// Vectors are passed by reference only, since targets differ in how they pass them by value.
///
///  - narrow: the low byte of every lane.
///  - split: lanes 0 and 2, 1 and 3 of every four of `low`, each with those of `high` behind them.
///  - split_fours: of `low` and then `high`, the fours 0, 2, ... and 1, 3, ...
///  - order_fours: from [four][lane] to [lane][four].
///  - swap_neighbours: of [four][lane], what order_fours makes neighbours of 0 and 1, 2 and 3, ...
///  - repeat_4: part i is lane i of every four, four times.
///  - transpose: from byte [pair][8] to byte [8][pair].
///  - spread_bytes: byte i of `bytes` and all above it into pair i.
template <int Width>
struct QuantizeShuffles;

template <>
struct QuantizeShuffles<4> : QuantizeVectors<4> {
  [[gnu::always_inline]] static void widen(const Narrow16& narrow, Int& lanes) {
    lanes = __builtin_convertvector(narrow, Int);
  }
  [[gnu::always_inline]] static void narrow(const Int& lanes, Narrow8& bytes) {
    const __m128i halves = _mm_packs_epi32(reinterpret_cast<__m128i>(lanes & 0xFF), __m128i{});
    const Bytes packed = reinterpret_cast<Bytes>(_mm_packus_epi16(halves, halves));
    bytes = __builtin_shufflevector(packed, packed, 0, 1, 2, 3);
  }
  [[gnu::always_inline]] static void convert(const Int& numbers, Float& lanes) {
    lanes = __builtin_convertvector(numbers, Float);
  }
  /// Toward zero.
  [[gnu::always_inline]] static void truncate(const Float& lanes, Int& numbers) {
    numbers = __builtin_convertvector(lanes, Int);
  }
  [[gnu::always_inline]] static void split(const Int& low, const Int& high, Int& even, Int& odd) {
    even = __builtin_shufflevector(low, high, 0, 2, 4, 6);
    odd = __builtin_shufflevector(low, high, 1, 3, 5, 7);
  }
  [[gnu::always_inline]] static void order_fours(Int& /*lanes*/) {}
  [[gnu::always_inline]] static void swap_neighbours(const Int& lanes, Int& swapped) {
    swapped = __builtin_shufflevector(lanes, lanes, 1, 0, 3, 2);
  }
  [[gnu::always_inline]] static void repeat_4(const Float& lanes, Float& part_0, Float& part_1,
                                              Float& part_2, Float& part_3) {
    part_0 = __builtin_shufflevector(lanes, lanes, 0, 0, 0, 0);
    part_1 = __builtin_shufflevector(lanes, lanes, 1, 1, 1, 1);
    part_2 = __builtin_shufflevector(lanes, lanes, 2, 2, 2, 2);
    part_3 = __builtin_shufflevector(lanes, lanes, 3, 3, 3, 3);
  }
  [[gnu::always_inline]] static void transpose(Bytes& bytes) {
    bytes =
        __builtin_shufflevector(bytes, bytes, 0, 8, 1, 9, 2, 10, 3, 11, 4, 12, 5, 13, 6, 14, 7, 15);
  }
  [[gnu::always_inline]] static void spread_bytes(uint64_t bytes, Pair& pairs) {
    pairs = bytes >> Pair{0, 8};
  }
};

template <>
struct QuantizeShuffles<8> : QuantizeVectors<8> {
  [[gnu::always_inline]] static void widen(const Narrow16& narrow, Int& lanes) {
    lanes = __builtin_convertvector(narrow, Int);
  }
  [[gnu::always_inline]] static void narrow(const Int& lanes, Narrow8& bytes) {
    const Bytes all = reinterpret_cast<Bytes>(lanes);
    bytes = __builtin_shufflevector(all, all, 0, 4, 8, 12, 16, 20, 24, 28);
  }
  [[gnu::always_inline]] static void convert(const Int& numbers, Float& lanes) {
    lanes = __builtin_convertvector(numbers, Float);
  }
  /// Toward zero.
  [[gnu::always_inline]] static void truncate(const Float& lanes, Int& numbers) {
    numbers = __builtin_convertvector(lanes, Int);
  }
  [[gnu::always_inline]] static void split(const Int& low, const Int& high, Int& even, Int& odd) {
    even = __builtin_shufflevector(low, high, 0, 2, 8, 10, 4, 6, 12, 14);
    odd = __builtin_shufflevector(low, high, 1, 3, 9, 11, 5, 7, 13, 15);
  }
  [[gnu::always_inline]] static void split_fours(const Int& low, const Int& high, Int& even,
                                                 Int& odd) {
    even = __builtin_shufflevector(low, high, 0, 1, 2, 3, 8, 9, 10, 11);
    odd = __builtin_shufflevector(low, high, 4, 5, 6, 7, 12, 13, 14, 15);
  }
  [[gnu::always_inline]] static void order_fours(Int& lanes) {
    lanes = __builtin_shufflevector(lanes, lanes, 0, 4, 1, 5, 2, 6, 3, 7);
  }
  [[gnu::always_inline]] static void swap_neighbours(const Int& lanes, Int& swapped) {
    swapped = __builtin_shufflevector(lanes, lanes, 4, 5, 6, 7, 0, 1, 2, 3);
  }
  [[gnu::always_inline]] static void repeat_4(const Float& lanes, Float& part_0, Float& part_1,
                                              Float& part_2, Float& part_3) {
    part_0 = __builtin_shufflevector(lanes, lanes, 0, 0, 0, 0, 4, 4, 4, 4);
    part_1 = __builtin_shufflevector(lanes, lanes, 1, 1, 1, 1, 5, 5, 5, 5);
    part_2 = __builtin_shufflevector(lanes, lanes, 2, 2, 2, 2, 6, 6, 6, 6);
    part_3 = __builtin_shufflevector(lanes, lanes, 3, 3, 3, 3, 7, 7, 7, 7);
  }
  [[gnu::always_inline]] static void transpose(Bytes& bytes) {
    bytes =
        __builtin_shufflevector(bytes, bytes, 0, 8, 16, 24, 1, 9, 17, 25, 2, 10, 18, 26, 3, 11, 19,
                                27, 4, 12, 20, 28, 5, 13, 21, 29, 6, 14, 22, 30, 7, 15, 23, 31);
  }
  [[gnu::always_inline]] static void spread_bytes(uint64_t bytes, Pair& pairs) {
    pairs = bytes >> Pair{0, 8, 16, 24};
  }
};

template <>
struct QuantizeShuffles<16> : QuantizeVectors<16> {
  [[gnu::always_inline]] static void widen(const Narrow16& narrow, Int& lanes) {
    lanes = __builtin_convertvector(narrow, Int);
  }
  [[gnu::always_inline]] static void narrow(const Int& lanes, Narrow8& bytes) {
    const Bytes all = reinterpret_cast<Bytes>(lanes);
    bytes = __builtin_shufflevector(all, all, 0, 4, 8, 12, 16, 20, 24, 28, 32, 36, 40, 44, 48, 52,
                                    56, 60);
  }
  [[gnu::always_inline]] static void convert(const Int& numbers, Float& lanes) {
    lanes = __builtin_convertvector(numbers, Float);
  }
  /// Toward zero.
  [[gnu::always_inline]] static void truncate(const Float& lanes, Int& numbers) {
    numbers = __builtin_convertvector(lanes, Int);
  }
  [[gnu::always_inline]] static void split(const Int& low, const Int& high, Int& even, Int& odd) {
    even = __builtin_shufflevector(low, high, 0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28,
                                   30);
    odd = __builtin_shufflevector(low, high, 1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29,
                                  31);
  }
  [[gnu::always_inline]] static void split_fours(const Int& low, const Int& high, Int& even,
                                                 Int& odd) {
    even = __builtin_shufflevector(low, high, 0, 1, 2, 3, 8, 9, 10, 11, 16, 17, 18, 19, 24, 25, 26,
                                   27);
    odd = __builtin_shufflevector(low, high, 4, 5, 6, 7, 12, 13, 14, 15, 20, 21, 22, 23, 28, 29, 30,
                                  31);
  }
  [[gnu::always_inline]] static void order_fours(Int& lanes) {
    lanes =
        __builtin_shufflevector(lanes, lanes, 0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15);
  }
  [[gnu::always_inline]] static void swap_neighbours(const Int& lanes, Int& swapped) {
    swapped =
        __builtin_shufflevector(lanes, lanes, 4, 5, 6, 7, 0, 1, 2, 3, 12, 13, 14, 15, 8, 9, 10, 11);
  }
  [[gnu::always_inline]] static void repeat_4(const Float& lanes, Float& part_0, Float& part_1,
                                              Float& part_2, Float& part_3) {
    part_0 =
        __builtin_shufflevector(lanes, lanes, 0, 0, 0, 0, 4, 4, 4, 4, 8, 8, 8, 8, 12, 12, 12, 12);
    part_1 =
        __builtin_shufflevector(lanes, lanes, 1, 1, 1, 1, 5, 5, 5, 5, 9, 9, 9, 9, 13, 13, 13, 13);
    part_2 = __builtin_shufflevector(lanes, lanes, 2, 2, 2, 2, 6, 6, 6, 6, 10, 10, 10, 10, 14, 14,
                                     14, 14);
    part_3 = __builtin_shufflevector(lanes, lanes, 3, 3, 3, 3, 7, 7, 7, 7, 11, 11, 11, 11, 15, 15,
                                     15, 15);
  }
  [[gnu::always_inline]] static void transpose(Bytes& bytes) {
    bytes = __builtin_shufflevector(
        bytes, bytes, 0, 8, 16, 24, 32, 40, 48, 56, 1, 9, 17, 25, 33, 41, 49, 57, 2, 10, 18, 26, 34,
        42, 50, 58, 3, 11, 19, 27, 35, 43, 51, 59, 4, 12, 20, 28, 36, 44, 52, 60, 5, 13, 21, 29, 37,
        45, 53, 61, 6, 14, 22, 30, 38, 46, 54, 62, 7, 15, 23, 31, 39, 47, 55, 63);
  }
  [[gnu::always_inline]] static void spread_bytes(uint64_t bytes, Pair& pairs) {
    pairs = bytes >> Pair{0, 8, 16, 24, 32, 40, 48, 56};
  }
};

}  // namespace nibblecore
