// SPDX-License-Identifier: Apache-2.0
#include "hw/units/dot_product_unit.hpp"

#include "model/common/error.hpp"

namespace nibblecore::hw {

DotProductUnit::DotProductUnit(const sc_core::sc_module_name& name, const CoreDescription& core,
                               SimdTarget target)
    : ClockedUnit(name), array_(core, target) {}

void DotProductUnit::start(const GemmJob& job) {
  format_ = job.format();
  counts_ = CycleCounts{};
  waiting_ = 0;
}

CycleCounts DotProductUnit::cycles() const {
  CycleCounts counts = counts_;
  counts.drain = waiting_;
  return counts;
}

void DotProductUnit::tick() {
  const bool ready = sums->can_push();
  busy_ = ready && a_codes->can_pop() && b_codes->can_pop();
  if (!busy_) {
    ++waiting_;
    return;
  }
  BlockSums& result = sums->back();
  result.tag = a_codes->front().tag;
  if (!(result.tag == b_codes->front().tag)) {
    throw InternalError(std::string(name()) + ": operands of two different steps met");
  }
  array_.multiply(format_, a_codes->front(), b_codes->front(), result);
  lane0_sum_ = result.sums[0];
  sums->push();
  a_codes->pop();
  b_codes->pop();
  count_step();
}

void DotProductUnit::count_step() {
  (counts_.busy == 0 ? counts_.fill : counts_.stall) += waiting_;
  waiting_ = 0;
  ++counts_.busy;
}

void DotProductUnit::reset() {
  a_codes->clear();
  b_codes->clear();
  busy_ = false;
}

void DotProductUnit::trace(sc_core::sc_trace_file* file) const {
  const std::string prefix = std::string(name()) + ".";
  sc_core::sc_trace(file, busy_, prefix + "busy");
  sc_core::sc_trace(file, lane0_sum_, prefix + "lane0_sum");
}

}  // namespace nibblecore::hw
