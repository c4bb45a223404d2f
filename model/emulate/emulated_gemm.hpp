// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "model/emulate/emulator_target.hpp"
#include "model/emulate/gemm_operands.hpp"
#include "model/emulate/gemm_steps.hpp"
#include "model/emulate/left_panels.hpp"
#include "model/emulate/macro_factors.hpp"
#include "model/emulate/right_strips.hpp"
#include "model/emulate/tile_adder.hpp"
#include "model/formats/gemm_corrections.hpp"
#include "model/formats/packed_matrix.hpp"

namespace nibblecore {

/// Operands of a GEMM as the integer kernels read them.
struct DecodedOperands {
  DecodedOperands(const GemmOperands& operands, EmulatorTarget target, int threads);

  LeftPanels a;
  RightStrips b;
  std::optional<LeftPanels> residual;  ///< of A
  bool fits;                           ///< fits_fp32
};

/// A GEMM whose operands are prepared once and multiplied as often as one likes; what it computes
/// is emulate_gemm's. Refers to the operands and to what `corrections` point to.
class EmulatedGemm {
 public:
  /// Decodes the operands on up to `threads` threads (0: one per processor), unless they are
  /// decoded faster where they are used (Bf16Stretch). InputError as emulate_gemm; InternalError
  /// where the target is not available.
  EmulatedGemm(const PackedMatrix& a, const PackedMatrix& b, Accumulation policy, int threads,
               const GemmCorrections& corrections = {},
               EmulatorTarget target = best_emulator_target());

  /// FP32 bits [M,N] of the result from `c` on, which may be null (+0) or `d`; `truncation` as
  /// EmulatorOptions has it.
  void run(const uint32_t* c, uint32_t* d, int threads, uint8_t* truncation = nullptr) const;

  /// Whether BF16 tiles multiply (Bf16Stretch).
  bool is_in_bf16() const { return decoded_ == nullptr; }

 private:
  friend class ExactRegion;
  friend class TileRegion;

  int64_t rows_;
  int64_t columns_;
  int64_t k_;
  BlockFormat format_;
  int block_length_;
  Accumulation policy_;
  EmulatorTarget target_;
  float alpha_;
  GemmCorrections corrections_;
  GemmOperands operands_;
  std::unique_ptr<DecodedOperands> decoded_;  ///< none where each region decodes what it needs
  std::vector<GemmStep> steps_;
  MacroFactors a_factors_;  ///< empty without macro scales
  MacroFactors b_factors_;
  std::unique_ptr<TileAdder> adder_;  ///< none under `exact`
};

}  // namespace nibblecore
