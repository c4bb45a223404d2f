// SPDX-License-Identifier: Apache-2.0
#include "hw/units/quantizer_unit.hpp"

#include <string>

#include "model/common/error.hpp"

namespace nibblecore::hw {

QuantizerUnit::QuantizerUnit(const sc_core::sc_module_name& name, const QuantizerTiming& timing)
    : ClockedUnit(name), timing_(timing) {}

void QuantizerUnit::start(const QuantizerJob& job) {
  if (timing_.values_per_cycle <= 0) {
    throw InputError("quantizer", "it must take at least one value a cycle");
  }
  const int cycles = timing_.cycles_a_block(job.block());
  if (timing_.latency < cycles) {
    throw InputError("quantizer", "a latency of " + std::to_string(timing_.latency) +
                                      " is below the " + std::to_string(cycles) +
                                      " cycles in which a block enters");
  }
  job_ = job;
  pipeline_.clear();
  cycle_ = 0;
  next_accept_ = 0;
  stalled_ = 0;
}

void QuantizerUnit::tick() {
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

bool QuantizerUnit::delivers(bool accepts) const {
  // With a latency of 1 a block goes on in the cycle in which it was accepted.
  return pipeline_.empty() ? accepts && timing_.latency == 1 : pipeline_.front().due == cycle_;
}

void QuantizerUnit::accept() {
  const QuantizedBlock block = quantize_block(unquantized->front(), job_);
  scale_ = block.dense.scale[0];
  pipeline_.push_back({cycle_ + timing_.latency - 1, block});
  next_accept_ = cycle_ + timing_.cycles_a_block(job_.block());
  unquantized->pop();
}

void QuantizerUnit::deliver() {
  quantized->back() = pipeline_.front().block;
  quantized->push();
  pipeline_.pop_front();
}

void QuantizerUnit::reset() {
  unquantized->clear();
  pipeline_.clear();
  cycle_ = 0;
  next_accept_ = 0;
  stalled_ = 0;
  accepting_ = false;
}

void QuantizerUnit::trace(sc_core::sc_trace_file* file) const {
  const std::string prefix = std::string(name()) + ".";
  sc_core::sc_trace(file, accepting_, prefix + "accepting");
  sc_core::sc_trace(file, scale_, prefix + "scale");
}

}  // namespace nibblecore::hw
