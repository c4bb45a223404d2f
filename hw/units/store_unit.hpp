// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "hw/channel/payload.hpp"
#include "hw/channel/ready_valid.hpp"
#include "hw/units/clocked_unit.hpp"
#include "hw/units/gemm_job.hpp"

namespace nibblecore::hw {

/// Writes finished tiles to D, one a cycle, without the lanes beyond M and N. Where the operands
/// carry tensor scales, every result is multiplied by their product on the way (NVFP4's alpha).
class StoreUnit final : public ClockedUnit {
 public:
  sc_core::sc_port<ReadyValidIn<ResultTile>> tiles{"tiles"};
  sc_core::sc_out<bool> done{"done"};  ///< high for the cycle after the last tile was written

  StoreUnit(const sc_core::sc_module_name& name, const CoreDescription& core);

  void start(const GemmJob& job);
  void trace(sc_core::sc_trace_file* file) const override;

 private:
  void tick() override;
  void reset() override;
  void write(const ResultTile& tile) const;

  CoreDescription core_;
  GemmJob job_;
  uint32_t alpha_ = 0;
  int64_t stored_ = 0;
};

}  // namespace nibblecore::hw
