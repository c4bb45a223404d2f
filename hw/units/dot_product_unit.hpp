// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "hw/channel/payload.hpp"
#include "hw/channel/ready_valid.hpp"
#include "hw/datapath/dot_product_array.hpp"
#include "hw/units/clocked_unit.hpp"
#include "hw/units/gemm_job.hpp"
#include "model/machine/cycle_counts.hpp"

namespace nibblecore::hw {

/// The multiplier array as a pipeline stage: one step a cycle. It also keeps the account of cycles,
/// since every cycle of a GEMM is either a step of the array or a wait with a cause.
class DotProductUnit final : public ClockedUnit {
 public:
  sc_core::sc_port<ReadyValidIn<CodeSlice>> a_codes{"a_codes"};
  sc_core::sc_port<ReadyValidIn<CodeSlice>> b_codes{"b_codes"};
  sc_core::sc_port<ReadyValidOut<BlockSums>> sums{"sums"};

  DotProductUnit(const sc_core::sc_module_name& name, const CoreDescription& core,
                 SimdTarget target);

  void start(const GemmJob& job);
  /// Cycles since start(); cycles after the latest step count as drain.
  CycleCounts cycles() const;
  void trace(sc_core::sc_trace_file* file) const override;

 private:
  void tick() override;
  void reset() override;
  void count_step();

  DotProductArray array_;
  BlockFormat format_{};
  CycleCounts counts_;
  int64_t waiting_ = 0;  ///< cycles since the latest step, or since the start
  bool busy_ = false;
  int32_t lane0_sum_ = 0;  ///< of output (0, 0), block 0: for traces
};

}  // namespace nibblecore::hw
