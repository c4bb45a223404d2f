// SPDX-License-Identifier: Apache-2.0
#include "hw/units/scale_unit.hpp"

#include "hw/datapath/factor_multiplier.hpp"
#include "model/common/error.hpp"

namespace nibblecore::hw {

template <class Hooks>
BasicScaleUnit<Hooks>::BasicScaleUnit(const sc_core::sc_module_name& name,
                                      const CoreDescription& core, SimdTarget target, Hooks hooks)
    : ClockedUnit(name), hooks_(hooks), multiplier_(core, target, hooks), core_(core) {}

template <class Hooks>
void BasicScaleUnit<Hooks>::tick() {
  const bool ready = products->can_push();
  if (!ready || !a_scales->can_pop() || !b_scales->can_pop()) {
    return;
  }
  ScaleProducts& result = products->back();
  result.tag = a_scales->front().tag;
  if (!(result.tag == b_scales->front().tag)) {
    throw InternalError(std::string(name()) + ": scales of two different steps met");
  }
  hooks_.on_step(result.tag);
  multiplier_.multiply(format_, a_scales->front(), b_scales->front(), result);
  if (has_factors_) {
    multiply_factors(core_, a_scales->front(), b_scales->front(), result, hooks_);
  }
  lane0_ = {result.significands[0], result.exponents[0], result.nan[0] != 0};
  products->push();
  a_scales->pop();
  b_scales->pop();
}

template <class Hooks>
void BasicScaleUnit<Hooks>::reset() {
  a_scales->clear();
  b_scales->clear();
}

template <class Hooks>
void BasicScaleUnit<Hooks>::trace(sc_core::sc_trace_file* file) const {
  const std::string prefix = std::string(name()) + ".lane0_";
  sc_core::sc_trace(file, lane0_.significand, prefix + "significand");
  sc_core::sc_trace(file, lane0_.exponent, prefix + "exponent");
  sc_core::sc_trace(file, lane0_.is_nan, prefix + "nan");
}

template class BasicScaleUnit<NoHooks>;
template class BasicScaleUnit<ProbeHooks>;

}  // namespace nibblecore::hw
