// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <deque>

#include "hw/channel/quantizer_payload.hpp"
#include "hw/channel/ready_valid.hpp"
#include "hw/datapath/block_quantizer.hpp"
#include "hw/units/clocked_unit.hpp"

namespace nibblecore::hw {

/// Speed of a quantizer unit.
struct QuantizerTiming {
  int values_per_cycle;
  int latency;  ///< cycles from accepting a block to its showing in the output channel

  /// Cycles that one block of `block` values occupies the input.
  constexpr int cycles_a_block(int block) const {
    return (block + values_per_cycle - 1) / values_per_cycle;
  }
};

/// The online quantizer as a pipeline: blocks of FP32 bits in, packed blocks out, in order.
///
/// Cycles count where the pipeline moves. A block accepted (popped from its channel) in cycle t
/// - shows in the output channel (can_pop() of the consumer) from cycle t + latency on, never
///   before, and
/// - keeps the next block out until cycle t + cycles_a_block, accepted then if it waits.
/// The whole pipeline stands still in a cycle in which a finished block finds no room in the output
/// channel; each such cycle moves everything under way by one. Blocks are neither lost nor
/// reordered. Reset drops all blocks under way and those that wait in the input channel.
class QuantizerUnit final : public ClockedUnit {
 public:
  sc_core::sc_port<ReadyValidIn<UnquantizedBlock>> unquantized{"unquantized"};
  sc_core::sc_port<ReadyValidOut<QuantizedBlock>> quantized{"quantized"};

  QuantizerUnit(const sc_core::sc_module_name& name, const QuantizerTiming& timing);

  /// Sets what the blocks to come are; none is under way. InputError where the timing has no
  /// throughput, or a latency below the cycles that a block of this job takes to enter.
  void start(const QuantizerJob& job);

  /// Cycles since start() or reset in which the pipeline stood still.
  int64_t stalled_cycles() const { return stalled_; }

  void trace(sc_core::sc_trace_file* file) const override;

 private:
  struct UnderWay {
    int64_t due;  ///< cycle in which the block goes to the output channel
    QuantizedBlock block;
  };

  void tick() override;
  void reset() override;
  bool delivers(bool accepts) const;
  void accept();
  void deliver();

  QuantizerTiming timing_;
  QuantizerJob job_{Mxfp4Rule{}};
  std::deque<UnderWay> pipeline_;
  int64_t cycle_ = 0;  ///< cycles in which the pipeline moved
  int64_t next_accept_ = 0;
  int64_t stalled_ = 0;
  bool accepting_ = false;
  uint8_t scale_ = 0;  ///< of the latest block accepted: for traces
};

}  // namespace nibblecore::hw
