// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <deque>
#include <optional>
#include <vector>

#include "hw/channel/flag.hpp"
#include "hw/channel/payload.hpp"
#include "hw/channel/ready_valid.hpp"
#include "hw/datapath/blackwell_node.hpp"
#include "hw/datapath/hooks.hpp"
#include "hw/datapath/simd_target.hpp"
#include "hw/datapath/taps.hpp"
#include "hw/units/clocked_unit.hpp"
#include "hw/units/gemm_job.hpp"
#include "hw/units/region_memory.hpp"

namespace nibblecore::hw {

/// The adders in front of L0C, one an output of the tile. A step adds its unmasked blocks one after
/// the other, each as (block sum x scale significand) * 2^exponent with one rounding: policy
/// `fp32-rne`; or 64 of K at once, in a node of groups of 16 that is truncated: `blackwell` and
/// `blackwell-v1`. The first step of a tile starts from +0, or from what was loaded into L0C.
/// Blocks of a residual that has accumulators of its own pass the same adder and go to those, from
/// +0 on.
///
/// Where operands have factors of macro blocks, blocks go to the sum of theirs, which begins at +0;
/// behind its last one the sum goes into the accumulator under the product of both factors.
///
/// A step's result stands in L0C `additions x accumulate_latency` cycles after the step came; a
/// step on a tile whose last result is not there yet waits (the sequencer never issues one so early
/// that it would, unless a channel held others back).
template <class Hooks>
class BasicAccumulator final : public ClockedUnit {
 public:
  sc_core::sc_port<ReadyValidIn<BlockSums>> sums{"sums"};
  sc_core::sc_port<ReadyValidIn<ScaleProducts>> products{"products"};

  BasicAccumulator(const sc_core::sc_module_name& name, const Machine& machine, SimdTarget target,
                   RegionMemory& region, Flag& region_filled, Hooks hooks = Hooks());

  void start(const GemmJob& job);
  void trace(sc_core::sc_trace_file* file) const override;

 private:
  void tick() override;
  void reset() override;
  void take_step();
  void clear(int64_t tile);
  void accumulate(const StepTag& tag, int32_t first, int32_t end, AccumulatorPlane plane);
  void accumulate_blocks(const StepTag& tag, int32_t first, int32_t end, AccumulatorPlane plane);
  void accumulate_in_nodes(const StepTag& tag, int32_t first, int32_t end, AccumulatorPlane plane);
  void accumulate_macro_blocks(const StepTag& tag, int32_t first, int32_t end,
                               AccumulatorPlane plane, bool closes);
  void take_in(const StepTag& tag, int64_t macro, AccumulatorPlane from, AccumulatorPlane to);
  OutputTap<Hooks> output_tap(const StepTag& tag, AccumulatorPlane plane) const;

  Machine machine_;
  SimdTarget target_;
  RegionMemory& region_;
  Flag& region_filled_;
  Hooks hooks_;
  const Program* program_ = nullptr;
  int64_t tiles_ = 0;
  int64_t macro_blocks_ = 0;  ///< blocks of a macro block; 0: none
  bool own_residual_ = false;
  std::optional<NodeRule> node_;  ///< where the job's policy adds in nodes
  uint32_t nan_ = 0;
  size_t half_ = 0;
  int64_t cycle_ = 0;
  std::vector<int64_t>
      ready_;  ///< [half, tile]: cycle from which a tile's accumulators are settled
  std::deque<int64_t> finishing_;  ///< cycles in which a region's last result comes
  uint32_t lane0_ = 0;             ///< of output (0, 0) of the latest tile: for traces
};

extern template class BasicAccumulator<NoHooks>;
extern template class BasicAccumulator<ProbeHooks>;

using Accumulator = BasicAccumulator<NoHooks>;

}  // namespace nibblecore::hw
