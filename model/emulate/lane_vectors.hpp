// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <cstring>

#include <immintrin.h>

namespace nibblecore {

/// Vectors of `Width` lanes of 32 bits and of half as many of 64 bits.
template <int Width>
struct LaneTypes {
  using Int [[gnu::vector_size(4 * Width)]] = int32_t;
  using Word [[gnu::vector_size(4 * Width)]] = uint32_t;
  using Float [[gnu::vector_size(4 * Width)]] = float;
  using Short [[gnu::vector_size(4 * Width)]] = int16_t;
  using Double [[gnu::vector_size(4 * Width)]] = double;
  using Long [[gnu::vector_size(4 * Width)]] = int64_t;
  /// As many lanes as Double has, of 32 bits.
  using HalfInt [[gnu::vector_size(2 * Width)]] = int32_t;
  using HalfFloat [[gnu::vector_size(2 * Width)]] = float;
  /// One a lane of 32 bits.
  using Bytes [[gnu::vector_size(Width)]] = uint8_t;
};

/// Steps that kernels share, in terms of the compiler's vectors:
///
///  - widen, narrow: FP64 from and to 32 bits, rounded to nearest even.
///  - any: whether any bit of a mask is set.
///  - add_product: sum += x * y where the product is exact, so that it may be fused or not.
template <int Width>
struct GenericLanes : LaneTypes<Width> {
  using Double = typename LaneTypes<Width>::Double;

  template <class Half>
  [[gnu::always_inline]] static void widen(const Half& numbers, Double& wide) {
    wide = __builtin_convertvector(numbers, Double);
  }
  [[gnu::always_inline]] static void narrow(const Double& numbers,
                                            typename LaneTypes<Width>::HalfFloat& floats) {
    floats = __builtin_convertvector(numbers, typename LaneTypes<Width>::HalfFloat);
  }
  [[gnu::always_inline]] static bool any(const typename LaneTypes<Width>::Int& mask) {
    std::array<uint64_t, sizeof mask / sizeof(uint64_t)> parts;
    std::memcpy(parts.data(), &mask, sizeof mask);
    uint64_t bits = 0;
    for (const uint64_t part : parts) {
      bits |= part;
    }
    return bits != 0;
  }
  template <class Vector>
  [[gnu::always_inline]] static void add_product(const Vector& x, const Vector& y, Vector& sum) {
    sum += x * y;
  }
};

template <int Width>
struct NativeLanes : GenericLanes<Width> {};

#if defined(__GNUC__) && !defined(__clang__)
// GCC makes detours of these unless it is told the instruction. Calls become part of functions that
// carry the target, so that nothing is passed in a vector register, whatever -Wpsabi fears.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpsabi"
template <>
struct NativeLanes<8> : LaneTypes<8> {
  [[gnu::always_inline]] static void widen(const HalfInt& integers, Double& numbers) {
    numbers = __builtin_ia32_cvtdq2pd256(integers);
  }
  [[gnu::always_inline]] static void widen(const HalfFloat& floats, Double& numbers) {
    numbers = __builtin_ia32_cvtps2pd256(floats);
  }
  [[gnu::always_inline]] static void narrow(const Double& numbers, HalfFloat& floats) {
    floats = __builtin_ia32_cvtpd2ps256(numbers);
  }
  [[gnu::always_inline]] static bool any(const Int& mask) {
    const auto parts = reinterpret_cast<__v4di>(mask);
    return __builtin_ia32_ptestz256(parts, parts) == 0;
  }
  [[gnu::always_inline]] static void add_product(const Float& x, const Float& y, Float& sum) {
    sum = __builtin_ia32_vfmaddps256(x, y, sum);
  }
  [[gnu::always_inline]] static void add_product(const Double& x, const Double& y, Double& sum) {
    sum = __builtin_ia32_vfmaddpd256(x, y, sum);
  }
};

template <>
struct NativeLanes<16> : LaneTypes<16> {
  static constexpr char kAllLanes = -1;

  [[gnu::always_inline]] static void widen(const HalfInt& integers, Double& numbers) {
    numbers = __builtin_ia32_cvtdq2pd512_mask(integers, Double{}, kAllLanes);
  }
  [[gnu::always_inline]] static void widen(const HalfFloat& floats, Double& numbers) {
    numbers =
        __builtin_ia32_cvtps2pd512_mask(floats, Double{}, kAllLanes, _MM_FROUND_CUR_DIRECTION);
  }
  [[gnu::always_inline]] static void narrow(const Double& numbers, HalfFloat& floats) {
    floats =
        __builtin_ia32_cvtpd2ps512_mask(numbers, HalfFloat{}, kAllLanes, _MM_FROUND_CUR_DIRECTION);
  }
  [[gnu::always_inline]] static bool any(const Int& mask) {
    return __builtin_ia32_ptestmd512(mask, mask, -1) != 0;
  }
  [[gnu::always_inline]] static void add_product(const Float& x, const Float& y, Float& sum) {
    sum = __builtin_ia32_vfmaddps512_mask(x, y, sum, -1, _MM_FROUND_CUR_DIRECTION);
  }
  [[gnu::always_inline]] static void add_product(const Double& x, const Double& y, Double& sum) {
    sum = __builtin_ia32_vfmaddpd512_mask(x, y, sum, kAllLanes, _MM_FROUND_CUR_DIRECTION);
  }
};
#pragma GCC diagnostic pop
#endif

/// What kernels of tiles are written in, with vectors as wide as the registers of the target that
/// they are compiled for (LaneDispatch). Vectors are passed by reference only: targets differ
/// in how they pass them by value.
template <int Width>
struct LaneVectors : NativeLanes<Width> {
  static constexpr int kHalf = Width / 2;

  template <class Vector>
  [[gnu::always_inline]] static void load(const void* from, Vector& vector) {
    std::memcpy(&vector, from, sizeof vector);
  }

  template <class Vector>
  [[gnu::always_inline]] static void store(const Vector& vector, void* to) {
    std::memcpy(to, &vector, sizeof vector);
  }

  /// FP32 numbers in FP64.
  [[gnu::always_inline]] static void load_wide(const float* from,
                                               typename LaneTypes<Width>::Double& numbers) {
    typename LaneTypes<Width>::HalfFloat floats;
    load(from, floats);
    NativeLanes<Width>::widen(floats, numbers);
  }

  /// FP64 numbers, rounded to nearest even FP32 ones.
  [[gnu::always_inline]] static void store_rounded(const typename LaneTypes<Width>::Double& numbers,
                                                   float* to) {
    typename LaneTypes<Width>::HalfFloat floats;
    NativeLanes<Width>::narrow(numbers, floats);
    store(floats, to);
  }
};

}  // namespace nibblecore
