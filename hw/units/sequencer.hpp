// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "hw/channel/payload.hpp"
#include "hw/channel/ready_valid.hpp"
#include "hw/units/clocked_unit.hpp"
#include "hw/units/gemm_job.hpp"

namespace nibblecore::hw {

/// Issues the steps of a GEMM, one a cycle, to both operand buffers: output tiles row by row, K
/// innermost and ascending.
class Sequencer final : public ClockedUnit {
 public:
  sc_core::sc_port<ReadyValidOut<StepTag>> a_steps{"a_steps"};
  sc_core::sc_port<ReadyValidOut<StepTag>> b_steps{"b_steps"};

  Sequencer(const sc_core::sc_module_name& name, const CoreDescription& core);

  /// Takes the first step at the next clock edge.
  void start(const GemmJob& job);

  void trace(sc_core::sc_trace_file* file) const override;

 private:
  void tick() override;
  void reset() override;
  /// Moves `next_` to the following step; stops after the last.
  void advance();
  void mark_ends();

  CoreDescription core_;
  int64_t tile_rows_ = 0;
  int64_t tile_columns_ = 0;
  int64_t k_steps_ = 0;
  int32_t blocks_a_step_ = 0;
  int64_t blocks_ = 0;
  StepTag next_;
  bool active_ = false;
};

}  // namespace nibblecore::hw
