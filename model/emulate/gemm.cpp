// SPDX-License-Identifier: Apache-2.0
#include "model/emulate/gemm.hpp"

#include <string>

#include "model/common/error.hpp"
#include "model/common/parallel.hpp"
#include "model/emulate/tile_gemm.hpp"

namespace nibblecore {
namespace {

void check_operands(const PackedMatrix& a, const PackedMatrix& b) {
  if (a.format.element != b.format.element || a.format.scale != b.format.scale ||
      a.format.block != b.format.block) {
    throw InputError("GEMM operands", "A and B have different formats");
  }
  if (a.k != b.k) {
    throw InputError("GEMM operands",
                     "K is " + std::to_string(a.k) + " in A and " + std::to_string(b.k) + " in B");
  }
}

}  // namespace

void emulate_gemm(const PackedMatrix& a, const PackedMatrix& b, const uint32_t* c, uint32_t* d,
                  int threads, const GemmCorrections& corrections) {
  check_operands(a, b);
  require_corrections_of(corrections, a, b, Accumulation::kFp32Rne);
  const TileGemm gemm(a, b, corrections, c, d, threads);
  const int64_t row_tiles = gemm.row_tiles();
  parallel_for(row_tiles * gemm.column_tiles(), 1, threads, [&](int64_t begin, int64_t end) {
    for (int64_t tile = begin; tile < end; ++tile) {
      // Rows vary fastest: the strip of B they share is larger than their rows of A.
      gemm.compute_tile(tile % row_tiles, tile / row_tiles);
    }
  });
}

}  // namespace nibblecore
