// SPDX-License-Identifier: Apache-2.0
#include "hw/units/dot_product_unit.hpp"

#include "model/common/error.hpp"

namespace nibblecore::hw {

template <class Hooks>
BasicDotProductUnit<Hooks>::BasicDotProductUnit(const sc_core::sc_module_name& name,
                                                const CoreDescription& core, SimdTarget target,
                                                Hooks hooks)
    : ClockedUnit(name), hooks_(hooks), array_(core, target, hooks) {}

template <class Hooks>
void BasicDotProductUnit<Hooks>::tick() {
  const bool ready = sums->can_push();
  busy_ = ready && a_codes->can_pop() && b_codes->can_pop();
  if (!busy_) {
    return;
  }
  BlockSums& result = sums->back();
  result.tag = a_codes->front().tag;
  if (!(result.tag == b_codes->front().tag)) {
    throw InternalError(std::string(name()) + ": operands of two different steps met");
  }
  hooks_.on_step(result.tag);
  array_.multiply(format_, a_codes->front(), b_codes->front(), result, sum_length_);
  lane0_sum_ = result.sums[0];
  sums->push();
  a_codes->pop();
  b_codes->pop();
}

template <class Hooks>
void BasicDotProductUnit<Hooks>::reset() {
  a_codes->clear();
  b_codes->clear();
  busy_ = false;
}

template <class Hooks>
void BasicDotProductUnit<Hooks>::trace(sc_core::sc_trace_file* file) const {
  const std::string prefix = std::string(name()) + ".";
  sc_core::sc_trace(file, busy_, prefix + "busy");
  sc_core::sc_trace(file, lane0_sum_, prefix + "lane0_sum");
}

template class BasicDotProductUnit<NoHooks>;
template class BasicDotProductUnit<ProbeHooks>;

}  // namespace nibblecore::hw
