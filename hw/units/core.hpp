// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>

#include <tlm_utils/simple_initiator_socket.h>

#include "hw/units/accumulator.hpp"
#include "hw/units/clocked_unit.hpp"
#include "hw/units/dot_product_unit.hpp"
#include "hw/units/memory_port.hpp"
#include "hw/units/move_unit.hpp"
#include "hw/units/operand_buffer.hpp"
#include "hw/units/quantizer_unit.hpp"
#include "hw/units/scale_unit.hpp"
#include "hw/units/sequencer.hpp"

namespace nibblecore::hw {

/// One core: memory port, L1, the moves to L0A and L0B through the quantizers, sequencer, scale
/// unit beside the dot-product array with its residual lanes, accumulators in front of L0C. One
/// instance serves MXFP4, HiF4 and NVFP4. `port().socket` is to be bound to a memory.
template <class Hooks>
class BasicCore final : public ClockedUnit {
 public:
  sc_core::sc_out<bool> done{"done"};  ///< high for the cycle after a GEMM's last response

  /// `target` decides how fast the circuits are evaluated, never what they give.
  BasicCore(const sc_core::sc_module_name& name, const Machine& machine,
            int64_t largest_burst = kWholeTransfers, SimdTarget target = best_simd_target(),
            Hooks hooks = Hooks());

  MemoryPort& port() { return port_; }

  /// Begins a GEMM at the next clock edge; no other is under way. InputError where the quantizer
  /// can't keep the machine's timing. What happens goes to `timeline` if there is one.
  void start(const GemmJob& job, TimelineSink* timeline = nullptr);

  /// What the GEMM that `done` ended took. InternalError where a unit's cycles by cause don't sum
  /// to the clock edges that the core itself counted.
  CycleReport finish();

  /// Random back-pressure on every channel, for tests.
  void throttle(uint32_t seed, double probability);

  void trace(sc_core::sc_trace_file* file) const override;

 private:
  /// Channels and buffers of one operand's way from L1 to the array.
  template <class Slice>
  struct OperandWay {
    L1Region l1;
    BufferFlags l1_flags;
    std::array<OperandPanel, 2> panels;
    BufferFlags l0_flags;
    ReadyValid<UnquantizedBeat> unquantized;
    ReadyValid<QuantizedBeat> quantized;
    ReadyValid<StepTag> steps;
    ReadyValid<Slice> codes;
    ReadyValid<ScaleSlice> scales;
    MoveUnit move;
    BasicQuantizerUnit<Hooks> quantizer;
    OperandBuffer<Slice> buffer;

    OperandWay(const std::string& name, OperandSide side, const Machine& machine, int lanes,
               Hooks hooks);
    void bind(BasicCore& core);
    void start(const GemmJob& job, const std::optional<QuantizerJob>& quantizer_job,
               int64_t half_bytes, TimelineSink* timeline);
    template <class Visitor>
    void for_each_channel(Visitor visit);
  };

  SC_HAS_PROCESS(BasicCore);
  void tick() override;
  void reset() override;
  void announce_cycle();
  template <class Visitor>
  void for_each_channel(Visitor visit);

  Machine machine_;
  Hooks hooks_;
  OperandWay<ASlice> a_;
  OperandWay<BSlice> b_;
  ReadyValid<BlockSums> sums_;
  ReadyValid<ScaleProducts> products_;
  RegionMemory region_;
  BufferFlags region_flags_;
  Flag start_filled_;

  MemoryPort port_;
  Sequencer sequencer_;
  BasicScaleUnit<Hooks> scale_unit_;
  BasicDotProductUnit<Hooks> dot_product_unit_;
  BasicAccumulator<Hooks> accumulator_;

  bool running_ = false;
  int64_t edges_ = 0;
};

extern template class BasicCore<NoHooks>;
extern template class BasicCore<ProbeHooks>;

using Core = BasicCore<NoHooks>;

}  // namespace nibblecore::hw
