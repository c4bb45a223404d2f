// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "hw/units/accumulator.hpp"
#include "hw/units/clocked_unit.hpp"
#include "hw/units/dot_product_unit.hpp"
#include "hw/units/operand_buffer.hpp"
#include "hw/units/scale_unit.hpp"
#include "hw/units/sequencer.hpp"
#include "hw/units/store_unit.hpp"

namespace nibblecore::hw {

/// The tensor core: sequencer, operand buffers, scale unit beside the dot-product array,
/// accumulators, store; one instance serves MXFP4, HiF4 and NVFP4.
class Core final : public ClockedUnit {
 public:
  sc_core::sc_out<bool> done{"done"};  ///< high for the cycle after a GEMM's last store

  /// `target` decides how fast the circuits are evaluated, never what they give.
  Core(const sc_core::sc_module_name& name, const CoreDescription& description,
       SimdTarget target = best_simd_target());

  /// Begins a GEMM at the next clock edge. The job's formats and K agree (the caller checks) and a
  /// step holds whole blocks; no other GEMM is under way.
  void start(const GemmJob& job);

  /// Cycles of the GEMM that `done` ended, by cause; they sum to the clock edges that the core
  /// itself counted, else InternalError.
  CycleCounts finish();

  /// Random back-pressure on every channel, for tests.
  void throttle(uint32_t seed, double probability);

  void trace(sc_core::sc_trace_file* file) const override;

 private:
  void tick() override;
  void reset() override;

  ReadyValid<StepTag> a_steps_;
  ReadyValid<StepTag> b_steps_;
  ReadyValid<CodeSlice> a_codes_;
  ReadyValid<CodeSlice> b_codes_;
  ReadyValid<ScaleSlice> a_scales_;
  ReadyValid<ScaleSlice> b_scales_;
  ReadyValid<BlockSums> sums_;
  ReadyValid<ScaleProducts> products_;
  ReadyValid<ResultTile> tiles_;

  Sequencer sequencer_;
  OperandBuffer a_buffer_;
  OperandBuffer b_buffer_;
  ScaleUnit scale_unit_;
  DotProductUnit dot_product_unit_;
  Accumulator accumulator_;
  StoreUnit store_unit_;

  bool running_ = false;
  int64_t cycles_ = 0;
};

}  // namespace nibblecore::hw
