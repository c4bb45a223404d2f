// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <deque>

#include "hw/channel/quantizer_beat.hpp"
#include "hw/channel/ready_valid.hpp"
#include "hw/datapath/block_quantizer.hpp"
#include "hw/units/clocked_unit.hpp"
#include "hw/units/operand_side.hpp"

namespace nibblecore::hw {

/// Speed of a quantizer unit.
struct QuantizerTiming {
  int64_t cycles_a_beat = 1;  ///< until the next beat may enter
  int64_t latency = 1;        ///< cycles from accepting a beat to its showing in the output channel
};

/// The online quantizer as a pipeline: beats of blocks of FP32 bits in, packed blocks out, in
/// order.
///
/// Cycles count where the pipeline moves. A beat accepted (popped from its channel) in cycle t
/// - shows in the output channel (can_pop() of the consumer) from cycle t + latency on, never
///   before, and
/// - keeps the next beat out until cycle t + cycles_a_beat, accepted then if it waits.
/// The whole pipeline stands still in a cycle in which a finished beat finds no room in the output
/// channel; each such cycle moves everything under way by one. Beats are neither lost nor
/// reordered. Reset drops all beats under way and those that wait in the input channel.
template <class Hooks>
class BasicQuantizerUnit final : public ClockedUnit {
 public:
  sc_core::sc_port<ReadyValidIn<UnquantizedBeat>> unquantized{"unquantized"};
  sc_core::sc_port<ReadyValidOut<QuantizedBeat>> quantized{"quantized"};

  explicit BasicQuantizerUnit(const sc_core::sc_module_name& name,
                              OperandSide side = OperandSide::kA, Hooks hooks = Hooks());

  /// Sets what the blocks to come are, and how fast they pass; none is under way. InputError where
  /// a beat takes no cycle, or the latency is below the cycles that a beat takes to enter.
  void start(const QuantizerJob& job, const QuantizerTiming& timing);

  /// Cycles since start() or reset in which the pipeline stood still.
  int64_t stalled_cycles() const { return stalled_; }

  void trace(sc_core::sc_trace_file* file) const override;

 private:
  struct UnderWay {
    int64_t due;  ///< cycle in which the beat goes to the output channel
    QuantizedBeat beat;
  };

  void tick() override;
  void reset() override;
  bool delivers(bool accepts) const;
  void accept();
  void deliver();
  void clear();

  OperandSide side_;
  Hooks hooks_;
  QuantizerTiming timing_;
  QuantizerJob job_{Mxfp4Rule{}};
  std::deque<UnderWay> pipeline_;
  int64_t cycle_ = 0;  ///< cycles in which the pipeline moved
  int64_t next_accept_ = 0;
  int64_t stalled_ = 0;
  bool accepting_ = false;
  uint8_t scale_ = 0;  ///< of the first block of the latest beat accepted: for traces
};

extern template class BasicQuantizerUnit<NoHooks>;
extern template class BasicQuantizerUnit<ProbeHooks>;

using QuantizerUnit = BasicQuantizerUnit<NoHooks>;

}  // namespace nibblecore::hw
