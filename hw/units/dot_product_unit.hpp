// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "hw/channel/payload.hpp"
#include "hw/channel/ready_valid.hpp"
#include "hw/datapath/dot_product_array.hpp"
#include "hw/units/clocked_unit.hpp"
#include "hw/units/gemm_job.hpp"

namespace nibblecore::hw {

/// The multiplier array, and the lanes of the 2:4 residual, as a pipeline stage: one step a cycle.
template <class Hooks>
class BasicDotProductUnit final : public ClockedUnit {
 public:
  sc_core::sc_port<ReadyValidIn<ASlice>> a_codes{"a_codes"};
  sc_core::sc_port<ReadyValidIn<BSlice>> b_codes{"b_codes"};
  sc_core::sc_port<ReadyValidOut<BlockSums>> sums{"sums"};

  BasicDotProductUnit(const sc_core::sc_module_name& name, const CoreDescription& core,
                      SimdTarget target, Hooks hooks = Hooks());

  void start(const GemmJob& job) {
    format_ = job.format();
    sum_length_ = job.sum_length();
  }
  void trace(sc_core::sc_trace_file* file) const override;

 private:
  void tick() override;
  void reset() override;

  Hooks hooks_;
  BasicDotProductArray<Hooks> array_;
  BlockFormat format_{};
  SumLength sum_length_ = SumLength::kBlock;
  bool busy_ = false;
  int32_t lane0_sum_ = 0;  ///< of output (0, 0), first block: for traces
};

extern template class BasicDotProductUnit<NoHooks>;
extern template class BasicDotProductUnit<ProbeHooks>;

using DotProductUnit = BasicDotProductUnit<NoHooks>;

}  // namespace nibblecore::hw
