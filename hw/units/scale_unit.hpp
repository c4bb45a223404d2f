// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "hw/channel/payload.hpp"
#include "hw/channel/ready_valid.hpp"
#include "hw/datapath/scale_factor.hpp"
#include "hw/units/clocked_unit.hpp"
#include "hw/units/gemm_job.hpp"

namespace nibblecore::hw {

/// Multiplies the block scales of both operands for every output of a step: E8M0 by adding
/// exponents, UE4M3 and HiF4's E6M2 by a small integer product as well; NaN spreads.
class ScaleUnit final : public ClockedUnit {
 public:
  sc_core::sc_port<ReadyValidIn<ScaleSlice>> a_scales{"a_scales"};
  sc_core::sc_port<ReadyValidIn<ScaleSlice>> b_scales{"b_scales"};
  sc_core::sc_port<ReadyValidOut<ScaleProducts>> products{"products"};

  ScaleUnit(const sc_core::sc_module_name& name, const CoreDescription& core);

  void start(const GemmJob& job) { format_ = job.format(); }
  void trace(sc_core::sc_trace_file* file) const override;

 private:
  void tick() override;
  void reset() override;
  void multiply_block(int block, ScaleProducts& result);

  CoreDescription core_;
  BlockFormat format_{};
  std::vector<ScaleFields> a_fields_;
  std::vector<ScaleFields> b_fields_;
  ScaleFactor lane0_{};  ///< of output (0, 0), block 0: for traces
};

}  // namespace nibblecore::hw
