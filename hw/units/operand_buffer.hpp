// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "hw/channel/payload.hpp"
#include "hw/channel/ready_valid.hpp"
#include "hw/units/clocked_unit.hpp"
#include "hw/units/gemm_job.hpp"

namespace nibblecore::hw {

/// Which operand a buffer holds; it decides whether tile rows or tile columns address it.
enum class OperandSide { kA, kB };

/// Holds one packed operand and answers each step with the lanes' codes (to the array, HiF4's
/// micro-exponents with them) and block scales (to the scale unit). Lanes beyond the matrix and
/// blocks beyond K read as zero.
class OperandBuffer final : public ClockedUnit {
 public:
  sc_core::sc_port<ReadyValidIn<StepTag>> steps{"steps"};
  sc_core::sc_port<ReadyValidOut<CodeSlice>> codes{"codes"};
  sc_core::sc_port<ReadyValidOut<ScaleSlice>> scales{"scales"};

  OperandBuffer(const sc_core::sc_module_name& name, OperandSide side, int lanes, int depth);

  /// The operand to serve; it outlives the run.
  void load(const PackedMatrix& matrix) { matrix_ = &matrix; }

 private:
  /// What a step takes from the matrix: rows and blocks along K that are present.
  struct Window {
    int64_t first_row;
    int64_t rows;
    int64_t first_block;
    int64_t blocks;
  };

  void tick() override;
  void reset() override;
  void read_codes(const Window& window, CodeSlice& slice) const;
  void read_scales(const Window& window, ScaleSlice& slice) const;
  void read_hif4_scales(const Window& window, CodeSlice& code_slice, ScaleSlice& scale_slice) const;

  OperandSide side_;
  int lanes_;
  int depth_;
  const PackedMatrix* matrix_ = nullptr;
};

}  // namespace nibblecore::hw
