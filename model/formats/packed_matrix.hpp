// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "model/formats/block_format.hpp"

namespace nibblecore {

/// A matrix [rows, k] in a block-scaled format, blocked along k, the contraction axis. A tail
/// shorter than a block is padded with zero codes. Both operands of a GEMM are held so: A as
/// [M, K], B transposed as [N, K].
struct PackedMatrix {
  BlockFormat format{};
  int64_t rows = 0;
  int64_t k = 0;
  /// [rows, blocks * block / 2]: two codes a byte, the even element in the low nibble.
  std::vector<uint8_t> codes;
  /// [rows, blocks * format.scale_bytes()].
  std::vector<uint8_t> scales;
  /// Factor of the whole tensor, outside the dot product (NVFP4's g_dec; 1 elsewhere).
  float tensor_scale = 1.0F;

  /// Blocks a row: ceil(k / block).
  int64_t blocks() const;
  /// Bytes of codes a row.
  int64_t code_stride() const { return blocks() * format.block / 2; }
  /// Bytes of scales a row.
  int64_t scale_stride() const { return blocks() * format.scale_bytes(); }
  const uint8_t* row_codes(int64_t row) const { return codes.data() + row * code_stride(); }
  const uint8_t* row_scales(int64_t row) const { return scales.data() + row * scale_stride(); }
  uint8_t* row_codes(int64_t row) { return codes.data() + row * code_stride(); }
  uint8_t* row_scales(int64_t row) { return scales.data() + row * scale_stride(); }
};

/// A matrix of that size with every code and scale byte 0; InputError where the size overflows or
/// is negative.
PackedMatrix make_packed_matrix(const BlockFormat& format, int64_t rows, int64_t k);

/// Code of element `index` in a row of packed codes.
constexpr uint8_t packed_code(const uint8_t* row_codes, int64_t index) {
  return static_cast<uint8_t>((row_codes[index / 2] >> (4 * (index & 1))) & 0xF);
}

/// Writes the code of element `index` where the nibble is still 0.
constexpr void set_packed_code(uint8_t* row_codes, int64_t index, uint8_t code) {
  row_codes[index / 2] = static_cast<uint8_t>(row_codes[index / 2] | (code << (4 * (index & 1))));
}

}  // namespace nibblecore
