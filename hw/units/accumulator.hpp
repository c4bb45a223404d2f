// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "hw/channel/payload.hpp"
#include "hw/channel/ready_valid.hpp"
#include "hw/datapath/simd_target.hpp"
#include "hw/units/clocked_unit.hpp"
#include "hw/units/gemm_job.hpp"

namespace nibblecore::hw {

/// One FP32 accumulator an output of the tile. A step adds its unmasked blocks one after the other
/// in K order, each as (block sum x scale significand) * 2^exponent with one rounding: policy
/// `fp32-rne`. The first step of a tile starts from C (or +0), the last hands the tile on.
class Accumulator final : public ClockedUnit {
 public:
  sc_core::sc_port<ReadyValidIn<BlockSums>> sums{"sums"};
  sc_core::sc_port<ReadyValidIn<ScaleProducts>> products{"products"};
  sc_core::sc_port<ReadyValidOut<ResultTile>> tiles{"tiles"};

  Accumulator(const sc_core::sc_module_name& name, const CoreDescription& core, SimdTarget target);

  void start(const GemmJob& job) { job_ = job; }
  void trace(sc_core::sc_trace_file* file) const override;

 private:
  void tick() override;
  void reset() override;
  void load_tile(const StepTag& tag);
  void add_block(size_t block);
  void hand_on(const StepTag& tag);

  CoreDescription core_;
  SimdTarget target_;
  GemmJob job_;
  std::vector<uint32_t> registers_;  ///< [rows, padded columns]
};

}  // namespace nibblecore::hw
