// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>

#include "hw/channel/flag.hpp"
#include "hw/channel/payload.hpp"
#include "hw/channel/ready_valid.hpp"
#include "hw/units/clocked_unit.hpp"
#include "hw/units/gemm_job.hpp"
#include "hw/units/operand_panel.hpp"
#include "hw/units/operand_side.hpp"

namespace nibblecore::hw {

/// L0A or L0B: two halves of one panel each. Answers each step with the lanes' codes (to the array,
/// HiF4's micro-exponents with them) and block scales (to the scale unit), and frees a half when
/// the chunk's last step was read. Lanes beyond the panel read as zero.
template <class Slice>
class OperandBuffer final : public ClockedUnit {
 public:
  sc_core::sc_port<ReadyValidIn<StepTag>> steps{"steps"};
  sc_core::sc_port<ReadyValidOut<Slice>> codes{"codes"};
  sc_core::sc_port<ReadyValidOut<ScaleSlice>> scales{"scales"};

  /// Tile rows (side A) or tile columns (side B) of `lanes` rows address the panels, which the move
  /// from L1 fills.
  OperandBuffer(const sc_core::sc_module_name& name, OperandSide side, int lanes, int depth,
                const std::array<OperandPanel, 2>& panels, Flag& free)
      : ClockedUnit(name),
        side_(side),
        lanes_(lanes),
        depth_(depth),
        panels_(panels),
        free_(free) {}

  void start(const GemmJob& job) {
    format_ = job.format();
    macro_blocks_ = job.program->macro_blocks();
    half_ = 0;
  }

 private:
  void tick() override;
  void reset() override { steps->clear(); }
  void read(const StepTag& tag, Slice& slice, ScaleSlice& scale_slice) const;

  OperandSide side_;
  int lanes_;
  int depth_;
  const std::array<OperandPanel, 2>& panels_;
  Flag& free_;
  BlockFormat format_{};
  int64_t macro_blocks_ = 0;  ///< blocks of a macro block, or 0
  size_t half_ = 0;           ///< that the steps read
};

extern template class OperandBuffer<ASlice>;
extern template class OperandBuffer<BSlice>;

}  // namespace nibblecore::hw
