// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "model/formats/packed_matrix.hpp"

namespace nibblecore {

/// The golden-vector files of folder mma (tests/data/vectors/mma/README.md).
inline constexpr std::array<const char*, 7> kMmaVectorFiles{
    "blackwell_tcgen05_m128n8k64_block16_ue4m3", "blackwell_tcgen05_m128n8k64_block16_ue8m0",
    "blackwell_tcgen05_m128n8k64_block32_ue8m0", "rtxblackwell_mma_m16n8k64_block16_ue4m3",
    "rtxblackwell_mma_m16n8k64_block16_ue8m0",   "rtxblackwell_mma_m16n8k64_block32_ue4m3",
    "rtxblackwell_mma_m16n8k64_block32_ue8m0"};

/// One of these files: tiles of D = A B + C with K = 64, and their results.
class MmaVectors {
 public:
  explicit MmaVectors(const std::string& file);

  int64_t tiles() const { return tiles_; }
  /// Row and column operand of a tile: [m, 64] and [n, 64].
  PackedMatrix a(int64_t tile) const { return operand(a_, a_scale_, m_, tile); }
  PackedMatrix b(int64_t tile) const { return operand(b_, b_scale_, n_, tile); }
  /// Outputs of a tile: m * n.
  int64_t tile_size() const { return m_ * n_; }

  BlockFormat format;
  std::vector<uint32_t> c;
  std::vector<uint32_t> d;
  std::vector<uint32_t> d_v1;
  std::vector<uint8_t> status;

 private:
  PackedMatrix operand(const std::vector<uint8_t>& codes, const std::vector<uint8_t>& scales,
                       int64_t rows, int64_t tile) const;

  int64_t tiles_;
  int64_t m_;
  int64_t n_;
  std::vector<uint8_t> a_;
  std::vector<uint8_t> a_scale_;
  std::vector<uint8_t> b_;
  std::vector<uint8_t> b_scale_;
};

}  // namespace nibblecore
