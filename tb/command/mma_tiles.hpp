// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "model/formats/accumulation.hpp"
#include "model/formats/packed_matrix.hpp"
#include "model/trace/safetensors_reader.hpp"

namespace nibblecore::tb {

/// One operand of all tiles: codes [tiles, rows, k / 2] and scales [tiles, rows, bytes a row].
/// Tensors belong to the file.
struct TiledOperand {
  const Tensor* codes;
  const Tensor* scales;
  int64_t tiles;
  int64_t rows;
  int64_t k;
};

/// What `nibblecore mma` multiplies: tiles of A [M, K] and B [N, K], and of C [M, N] as FP32 bits.
struct MmaTiles {
  TiledOperand a;
  TiledOperand b;
  const Tensor* c;

  int64_t tiles() const { return a.tiles; }
  int64_t tile_size() const { return a.rows * b.rows; }
  /// C of all tiles.
  std::vector<uint32_t> start() const;
};

/// Tensors a, a_scale, b, b_scale and c of `file`. InputError naming file and tensor where one is
/// missing, types or shapes do not go together, K is no multiple of the block or of what a policy
/// that truncates adds at once, or a size is 0.
MmaTiles read_mma_tiles(const SafetensorsFile& file, const BlockFormat& format,
                        Accumulation policy);

PackedMatrix tile_of(const TiledOperand& operand, const BlockFormat& format, int64_t tile);

}  // namespace nibblecore::tb
