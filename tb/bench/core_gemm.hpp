// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "hw/datapath/block_quantizer.hpp"
#include "model/formats/macro_scales.hpp"
#include "model/formats/matrix_view.hpp"
#include "model/formats/packed_matrix.hpp"
#include "model/formats/preset.hpp"
#include "model/formats/residual.hpp"

namespace nibblecore::tb {

/// One operand of a GEMM for the core: packed, or online with what the quantizer does to it.
struct CoreOperand {
  const PackedMatrix* packed = nullptr;
  const MatrixView* input = nullptr;
  std::optional<hw::QuantizerJob> quantizer;
  /// NVFP4's g_dec, 1 elsewhere.
  float tensor_scale = 1.0F;
  /// Masks that are computed before the run, one byte a flag: channels [k], or tiles
  /// [ceil(rows / 32), ceil(k / 64)]; empty for patterns that need none.
  std::vector<uint8_t> mask;
  /// Factors of macro blocks of a packed operand; null for one without.
  const MacroScales* macro = nullptr;

  int64_t rows() const { return packed != nullptr ? packed->rows : input->rows; }
  int64_t k() const { return packed != nullptr ? packed->k : input->k; }
};

CoreOperand packed_operand(const PackedMatrix& matrix);

/// An operand that the core quantizes by `preset`, with its residual; the mask of a pattern that
/// needs one is left empty. `input` outlives the operand. InputError where no circuit does this.
CoreOperand online_operand(const MatrixView& input, const Preset& preset, ResidualPattern residual,
                           int threads);

/// One GEMM: D[m, n] = (C + A[m, k] B[n, k]^T) * alpha; everything outlives the run.
struct CoreGemm {
  CoreOperand a;
  CoreOperand b;
  const uint32_t* c = nullptr;  ///< [m, n] FP32 bits, or null: accumulators start at +0
  uint32_t* d = nullptr;        ///< [m, n] FP32 bits; BF16 results in the upper half
  /// By which accumulators of the residual's own are multiplied before they are added to the
  /// others (outlier fallback's alpha); finite.
  float residual_alpha = 1.0F;
};

}  // namespace nibblecore::tb
