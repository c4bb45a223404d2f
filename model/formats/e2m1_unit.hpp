// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "model/formats/number_format.hpp"
#include "model/formats/packed_matrix.hpp"

namespace nibblecore {

/// A block of `Size` E2M1 elements under one scale byte, one code a byte.
template <size_t Size>
struct E2m1Unit {
  uint8_t scale = 0;
  std::array<uint8_t, Size> codes{};
};

using Mxfp4Unit = E2m1Unit<32>;  ///< scale: E8M0 (OCP MX v1.0); 136 bits packed
using Nvfp4Unit = E2m1Unit<16>;  ///< scale: UE4M3; 72 bits packed

/// The packed record: the scale byte, then two codes a byte, even element in the low nibble.
template <size_t Size>
std::array<uint8_t, 1 + Size / 2> pack(const E2m1Unit<Size>& unit) {
  std::array<uint8_t, 1 + Size / 2> bytes{};
  bytes[0] = unit.scale;
  for (size_t i = 0; i < Size; ++i) {
    set_packed_code(bytes.data() + 1, static_cast<int64_t>(i), unit.codes[i]);
  }
  return bytes;
}

template <size_t Size>
E2m1Unit<Size> unpack_e2m1(const std::array<uint8_t, 1 + Size / 2>& bytes) {
  E2m1Unit<Size> unit;
  unit.scale = bytes[0];
  for (size_t i = 0; i < Size; ++i) {
    unit.codes[i] = packed_code(bytes.data() + 1, static_cast<int64_t>(i));
  }
  return unit;
}

/// The value of E2M1 `code` under scale byte `scale` of format `scale_format` as FP32: exact while
/// in range, infinity beyond it (E8M0 from 2^126 up), NaN under a NaN scale.
float decode_e2m1(uint8_t code, uint8_t scale, const NumberFormat& scale_format);

/// decode_e2m1 of all sixteen codes under one scale: what a block decodes with.
class E2m1Values {
 public:
  E2m1Values(uint8_t scale, const NumberFormat& scale_format);

  float operator[](uint8_t code) const { return values_[code]; }

 private:
  std::array<float, 16> values_{};
};

}  // namespace nibblecore
