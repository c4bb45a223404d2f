// SPDX-License-Identifier: Apache-2.0
#include "hw/units/core.hpp"

#include <string>

#include "model/common/error.hpp"

namespace nibblecore::hw {

Core::Core(const sc_core::sc_module_name& name, const CoreDescription& description,
           SimdTarget target)
    : ClockedUnit(name),
      a_steps_("a_steps", StepTag{}),
      b_steps_("b_steps", StepTag{}),
      a_codes_("a_codes", CodeSlice(description.rows, description.depth)),
      b_codes_("b_codes", CodeSlice(description.columns, description.depth)),
      a_scales_("a_scales", ScaleSlice(description.rows, description.depth)),
      b_scales_("b_scales", ScaleSlice(description.columns, description.depth)),
      sums_("sums", BlockSums(description)),
      products_("products", ScaleProducts(description)),
      tiles_("tiles", ResultTile(description)),
      sequencer_("sequencer", description),
      a_buffer_("a_buffer", OperandSide::kA, description.rows, description.depth),
      b_buffer_("b_buffer", OperandSide::kB, description.columns, description.depth),
      scale_unit_("scale_unit", description, target),
      dot_product_unit_("dot_product_unit", description, target),
      accumulator_("accumulator", description, target),
      store_unit_("store_unit", description) {
  for (ClockedUnit* unit :
       std::initializer_list<ClockedUnit*>{&sequencer_, &a_buffer_, &b_buffer_, &scale_unit_,
                                           &dot_product_unit_, &accumulator_, &store_unit_}) {
    unit->clock(clock);
    unit->reset_n(reset_n);
  }
  sequencer_.a_steps(a_steps_);
  sequencer_.b_steps(b_steps_);
  a_buffer_.steps(a_steps_);
  b_buffer_.steps(b_steps_);
  a_buffer_.codes(a_codes_);
  b_buffer_.codes(b_codes_);
  a_buffer_.scales(a_scales_);
  b_buffer_.scales(b_scales_);
  scale_unit_.a_scales(a_scales_);
  scale_unit_.b_scales(b_scales_);
  scale_unit_.products(products_);
  dot_product_unit_.a_codes(a_codes_);
  dot_product_unit_.b_codes(b_codes_);
  dot_product_unit_.sums(sums_);
  accumulator_.sums(sums_);
  accumulator_.products(products_);
  accumulator_.tiles(tiles_);
  store_unit_.tiles(tiles_);
  store_unit_.done(done);
}

void Core::start(const GemmJob& job) {
  a_buffer_.load(*job.a);
  b_buffer_.load(*job.b);
  sequencer_.start(job);
  scale_unit_.start(job);
  dot_product_unit_.start(job);
  accumulator_.start(job);
  store_unit_.start(job);
  running_ = true;
  cycles_ = 0;
}

CycleCounts Core::finish() {
  running_ = false;
  const CycleCounts counts = dot_product_unit_.cycles();
  if (counts.total() != cycles_) {
    throw InternalError("cycles by cause sum to " + std::to_string(counts.total()) +
                        ", the core counted " + std::to_string(cycles_));
  }
  return counts;
}

void Core::tick() { cycles_ += running_ ? 1 : 0; }

void Core::reset() { running_ = false; }

void Core::throttle(uint32_t seed, double probability) {
  a_steps_.throttle(seed, probability);
  b_steps_.throttle(seed + 1, probability);
  a_codes_.throttle(seed + 2, probability);
  b_codes_.throttle(seed + 3, probability);
  a_scales_.throttle(seed + 4, probability);
  b_scales_.throttle(seed + 5, probability);
  sums_.throttle(seed + 6, probability);
  products_.throttle(seed + 7, probability);
  tiles_.throttle(seed + 8, probability);
}

void Core::trace(sc_core::sc_trace_file* file) const {
  sc_core::sc_trace(file, clock, clock.name());
  sc_core::sc_trace(file, reset_n, reset_n.name());
  sc_core::sc_trace(file, done, done.name());
  sc_core::sc_trace(file, cycles_, std::string(name()) + ".cycle");
  const auto trace_channel = [file](const auto& channel) {
    sc_core::sc_trace(file, channel.occupancy(), std::string(channel.name()) + ".occupancy");
  };
  trace_channel(a_steps_);
  trace_channel(b_steps_);
  trace_channel(a_codes_);
  trace_channel(b_codes_);
  trace_channel(a_scales_);
  trace_channel(b_scales_);
  trace_channel(sums_);
  trace_channel(products_);
  trace_channel(tiles_);
  sequencer_.trace(file);
  scale_unit_.trace(file);
  dot_product_unit_.trace(file);
  accumulator_.trace(file);
  store_unit_.trace(file);
}

}  // namespace nibblecore::hw
