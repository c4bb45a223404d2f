// SPDX-License-Identifier: Apache-2.0
#include "hw/units/quantizer_unit.hpp"

#include <string>
#include <utility>

#include "model/common/error.hpp"

namespace nibblecore::hw {

template <class Hooks>
BasicQuantizerUnit<Hooks>::BasicQuantizerUnit(const sc_core::sc_module_name& name, OperandSide side,
                                              Hooks hooks)
    : ClockedUnit(name), side_(side), hooks_(hooks) {}

template <class Hooks>
void BasicQuantizerUnit<Hooks>::start(const QuantizerJob& job, const QuantizerTiming& timing) {
  if (timing.cycles_a_beat <= 0) {
    throw InputError("quantizer", "a beat must take at least one cycle");
  }
  if (timing.latency < timing.cycles_a_beat) {
    throw InputError("quantizer", "a latency of " + std::to_string(timing.latency) +
                                      " is below the " + std::to_string(timing.cycles_a_beat) +
                                      " cycles in which a beat enters");
  }
  job_ = job;
  timing_ = timing;
  clear();
}

template <class Hooks>
void BasicQuantizerUnit<Hooks>::tick() {
  const bool ready = quantized->can_push();
  const bool accepts = unquantized->can_pop() && cycle_ >= next_accept_;
  const bool delivering = delivers(accepts);
  accepting_ = accepts && (ready || !delivering);
  if (delivering && !ready) {
    ++stalled_;
    return;
  }
  if (accepts) {
    accept();
  }
  if (delivering) {
    deliver();
  }
  ++cycle_;
}

template <class Hooks>
bool BasicQuantizerUnit<Hooks>::delivers(bool accepts) const {
  // With a latency of 1 a block goes on in the cycle in which it was accepted.
  return pipeline_.empty() ? accepts && timing_.latency == 1 : pipeline_.front().due == cycle_;
}

template <class Hooks>
void BasicQuantizerUnit<Hooks>::accept() {
  const UnquantizedBeat& in = unquantized->front();
  UnderWay under_way{cycle_ + timing_.latency - 1, QuantizedBeat(in.count)};
  under_way.beat.count = in.count;
  const QuantizerCircuit circuit =
      side_ == OperandSide::kA ? QuantizerCircuit::kA : QuantizerCircuit::kB;
  for (size_t i = 0; i < in.count; ++i) {
    hooks_.on_block(in.blocks[i].tag);
    const QuantizerTap<Hooks> tap(hooks_, static_cast<int64_t>(i), circuit);
    under_way.beat.blocks[i] = quantize_block(in.blocks[i], job_, tap);
  }
  scale_ = under_way.beat.blocks.front().dense.scale[0];
  pipeline_.push_back(std::move(under_way));
  next_accept_ = cycle_ + timing_.cycles_a_beat;
  unquantized->pop();
}

template <class Hooks>
void BasicQuantizerUnit<Hooks>::deliver() {
  std::swap(quantized->back(), pipeline_.front().beat);
  quantized->push();
  pipeline_.pop_front();
}

template <class Hooks>
void BasicQuantizerUnit<Hooks>::clear() {
  pipeline_.clear();
  cycle_ = 0;
  next_accept_ = 0;
  stalled_ = 0;
  accepting_ = false;
}

template <class Hooks>
void BasicQuantizerUnit<Hooks>::reset() {
  unquantized->clear();
  clear();
}

template <class Hooks>
void BasicQuantizerUnit<Hooks>::trace(sc_core::sc_trace_file* file) const {
  const std::string prefix = std::string(name()) + ".";
  sc_core::sc_trace(file, accepting_, prefix + "accepting");
  sc_core::sc_trace(file, scale_, prefix + "scale");
}

template class BasicQuantizerUnit<NoHooks>;
template class BasicQuantizerUnit<ProbeHooks>;

}  // namespace nibblecore::hw
