// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <cstring>

#include <emmintrin.h>

#include "model/common/bits.hpp"
#include "model/emulate/quantize_batch.hpp"
#include "model/emulate/quantize_s1p2.hpp"
#include "model/formats/bf16.hpp"
#include "model/formats/e6m2.hpp"
#include "model/formats/hif4_unit.hpp"

namespace nibblecore {

/// The first bits that round to BF16's infinity, or are it.
template <Hif4Path kPath>
inline constexpr int32_t kHif4FirstNotFinite = kPath == Hif4Path::kA6 ? 0x7F7F8000 : 0x7F800000;

/// The first bits of a product that its step takes for the number of these bits, whose BF16
/// significand is even: half a place below it a BF16 product rounds up to it.
template <Hif4Path kPath>
constexpr int32_t hif4_first_taken_for(int32_t bits) {
  return kPath == Hif4Path::kA6 ? bits - 0x8000 : bits;
}

/// Four times the reciprocals of the E6M2 scales (elements are rounded to quarters).
constexpr std::array<uint32_t, 255> make_hif4_quarter_reciprocals() {
  std::array<uint32_t, 255> bits{};
  for (size_t code = 0; code < bits.size(); ++code) {
    bits[code] = bf16_to_fp32(e6m2_reciprocal_bf16(static_cast<uint8_t>(code))) + (2U << 23);
  }
  return bits;
}

inline constexpr std::array<uint32_t, 255> kHif4QuarterReciprocals =
    make_hif4_quarter_reciprocals();

/// `Width` units of finite values. Where there are others, run() gives false and what it wrote does
/// not count.
template <Hif4Path kPath>
struct Hif4Batch {
  static constexpr int kBlock = 64;
  static constexpr int kScaleBytes = kHif4ScaleBytes;
  static constexpr int kGroups = 16;  ///< of four elements

  template <int Width, ValueType kType>
  [[gnu::always_inline]] bool run(const unsigned char* values, uint8_t* codes,
                                  uint8_t* scales) const {
    using Lanes = QuantizeLanes<Width>;
    using Int = typename Lanes::Int;
    std::array<int32_t, size_t{Width} * kGroups> of_4;
    std::array<int32_t, size_t{Width} * Width> maxima;
    for (int64_t unit = 0; unit < Width; ++unit) {
      Int largest{};
      for (int64_t part = 0; part < kGroups / Width; ++part) {
        Int groups;
        largest_of_4<Width, kType>(values, (unit * kGroups / Width + part) * 4, groups);
        Lanes::store(groups, of_4.data() + unit * kGroups + part * Width);
        Lanes::raise(groups, largest);
      }
      Lanes::store(largest, maxima.data() + unit * Width);
    }
    Int largest;
    Lanes::largest_of_each(maxima.data(), largest);
    std::array<int32_t, Width> of_all;
    Lanes::store(largest, of_all.data());
    for (const int32_t magnitude : of_all) {
      if (magnitude >= kHif4FirstNotFinite<kPath>) {
        return false;
      }
    }
    std::array<uint8_t, Width> e6m2;
    set_e6m2<Width>(largest, e6m2.data());
    std::array<float, size_t{Width} * kBlock> factors;
    for (int64_t unit = 0; unit < Width; ++unit) {
      scales[unit * kScaleBytes] = e6m2[static_cast<size_t>(unit)];
      set_micro_exponents<Width>(
          of_4.data() + unit * kGroups,
          bits_float(kHif4QuarterReciprocals[e6m2[static_cast<size_t>(unit)]]),
          scales + unit * kScaleBytes, factors.data() + unit * kBlock);
    }
    encode_batch<Width, kType, kBlock, 1, Hif4Coder<kPath>>(values, factors.data(), codes);
    return true;
  }

 private:
  /// Largest magnitudes of the groups in four vectors, lane [i][j] of the i-th group of vector j.
  template <int Width, ValueType kType>
  [[gnu::always_inline]] static void largest_of_4(const unsigned char* values, int64_t first,
                                                  typename QuantizeLanes<Width>::Int& groups) {
    using Lanes = QuantizeLanes<Width>;
    typename Lanes::Int vector_0;
    typename Lanes::Int vector_1;
    typename Lanes::Int vector_2;
    typename Lanes::Int vector_3;
    Lanes::template load_magnitudes<kType>(values, first, vector_0);
    Lanes::template load_magnitudes<kType>(values, first + 1, vector_1);
    Lanes::template load_magnitudes<kType>(values, first + 2, vector_2);
    Lanes::template load_magnitudes<kType>(values, first + 3, vector_3);
    Lanes::largest_of_fours(vector_0, vector_1, vector_2, vector_3, groups);
  }

  /// E6M2 codes of the scales of units with these largest magnitudes.
  template <int Width>
  [[gnu::always_inline]] static void set_e6m2(const typename QuantizeLanes<Width>::Int& of_all,
                                              uint8_t* codes) {
    using Lanes = QuantizeLanes<Width>;
    using Int = typename Lanes::Int;
    using Float = typename Lanes::Float;
    constexpr float kOneSeventh = 0.142578125F;  // in BF16
    constexpr int32_t kBitsOfSmallest = (127 - 48) << 23;
    constexpr int32_t kBitsOfLargest = 0x47400000;  // of 1.5 * 2^15
    constexpr int kDropped = 21;                    // mantissa bits, of FP32's 23
    Int largest = of_all;
    if (kPath == Hif4Path::kA6) {
      round_bits_to_bf16<Width>(largest);
    }
    const Float product = reinterpret_cast<Float>(largest) * kOneSeventh;
    Int scale = reinterpret_cast<Int>(product);
    round_bits_to_bf16<Width>(scale);
    Lanes::raise(Int{} + kBitsOfSmallest, scale);
    Lanes::lower(Int{} + kBitsOfLargest, scale);
    scale += ((scale >> kDropped) & 1) + ((1 << (kDropped - 1)) - 1);
    Lanes::store_bytes((scale - kBitsOfSmallest) >> kDropped, codes);
  }

  /// The micro-exponents of a unit, into the bytes behind its E6M2 code, and what each element is
  /// multiplied by. `of_4`: largest magnitudes of the groups.
  template <int Width>
  [[gnu::always_inline]] static void set_micro_exponents(const int32_t* of_4, float reciprocal,
                                                         uint8_t* scale, float* factors) {
    using Lanes = QuantizeLanes<Width>;
    using Int = typename Lanes::Int;
    using Float = typename Lanes::Float;
    // In quarters: 4 and 2 are 16 and 8.
    constexpr int32_t kFour = hif4_first_taken_for<kPath>(0x41800000);
    constexpr int32_t kBitsOfOne = 0x3F800000;
    constexpr int32_t kTwo = hif4_first_taken_for<kPath>(0x41000000);
    std::array<uint8_t, kGroups> level_2;
    std::array<uint8_t, kGroups> level_3;
    for (int64_t first = 0; first < kGroups; first += Width) {
      Int groups;
      Lanes::load(of_4 + first, groups);
      if (kPath == Hif4Path::kA6) {
        round_bits_to_bf16<Width>(groups);
      }
      const Float product = reinterpret_cast<Float>(groups) * reciprocal;
      const Int of_group = reinterpret_cast<Int>(product);
      Int of_8;
      Lanes::swap_neighbours(of_group, of_8);
      Lanes::raise(of_group, of_8);
      // All ones, that is -1, where the micro-exponent is 1.
      const Int above_2 = of_8 >= kFour;
      const Int above_3 = of_group >= kTwo + ((kFour - kTwo) & above_2);
      store_ordered<Width>(above_2, level_2.data() + first);
      store_ordered<Width>(above_3, level_3.data() + first);
      Int one_over_power = above_2 + above_3;
      Lanes::template shift_left<23>(one_over_power);
      one_over_power += kBitsOfOne;
      Lanes::store_fours(reinterpret_cast<Float>(one_over_power) * reciprocal, factors + 4 * first);
    }
    const unsigned bits_3 = bits_of(level_3);
    scale[1] = even_bits(bits_of(level_2));
    scale[2] = static_cast<uint8_t>(bits_3 & 0xFF);
    scale[3] = static_cast<uint8_t>(bits_3 >> 8);
  }

  /// The low bytes of groups, in their order.
  template <int Width>
  [[gnu::always_inline]] static void store_ordered(const typename QuantizeLanes<Width>::Int& groups,
                                                   uint8_t* to) {
    typename QuantizeLanes<Width>::Int ordered = groups;
    QuantizeLanes<Width>::order_fours(ordered);
    QuantizeLanes<Width>::store_bytes(ordered, to);
  }

  /// Bit i: whether byte i is all ones.
  [[gnu::always_inline]] static unsigned bits_of(const std::array<uint8_t, kGroups>& bytes) {
    __m128i lanes;
    std::memcpy(&lanes, bytes.data(), sizeof lanes);
    return static_cast<unsigned>(_mm_movemask_epi8(lanes));
  }

  /// Bits 0, 2, ... 14.
  [[gnu::always_inline]] static uint8_t even_bits(unsigned bits) {
    bits &= 0x5555;
    bits = (bits | (bits >> 1)) & 0x3333;
    bits = (bits | (bits >> 2)) & 0x0F0F;
    return static_cast<uint8_t>(bits | (bits >> 4));
  }
};

}  // namespace nibblecore
