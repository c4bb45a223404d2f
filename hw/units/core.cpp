// SPDX-License-Identifier: Apache-2.0
#include "hw/units/core.hpp"

#include <string>

#include "model/common/error.hpp"

namespace nibblecore::hw {
namespace {

size_t blocks_a_beat(const Machine& machine) {
  constexpr int64_t kLeastBlock = 16;
  return static_cast<size_t>(
      std::max<int64_t>(1, machine.quantizer_values_per_cycle / kLeastBlock));
}

}  // namespace

template <class Hooks>
template <class Slice>
BasicCore<Hooks>::OperandWay<Slice>::OperandWay(const std::string& name, OperandSide side,
                                                const Machine& machine, int lanes, Hooks hooks)
    : l1_flags(name + "_l1"),
      l0_flags(name + "_l0"),
      unquantized((name + "_unquantized").c_str(), UnquantizedBeat(blocks_a_beat(machine))),
      quantized((name + "_quantized").c_str(), QuantizedBeat(blocks_a_beat(machine))),
      steps((name + "_steps").c_str(), StepTag{}),
      codes((name + "_codes").c_str(), Slice(lanes, machine.core.depth)),
      scales((name + "_scales").c_str(), ScaleSlice(lanes, machine.core.depth)),
      move((name + "_move").c_str(), side, machine, MovePath{l1, l1_flags, panels, l0_flags}),
      quantizer((name + "_quantizer").c_str(), side, hooks),
      buffer((name + "_buffer").c_str(), side, lanes, machine.core.depth, panels, l0_flags.free) {}

template <class Hooks>
template <class Slice>
void BasicCore<Hooks>::OperandWay<Slice>::bind(BasicCore& core) {
  for (ClockedUnit* unit : std::initializer_list<ClockedUnit*>{&move, &quantizer, &buffer}) {
    unit->clock(core.clock);
    unit->reset_n(core.reset_n);
  }
  move.unquantized(unquantized);
  move.quantized(quantized);
  quantizer.unquantized(unquantized);
  quantizer.quantized(quantized);
  buffer.steps(steps);
  buffer.codes(codes);
  buffer.scales(scales);
}

template <class Hooks>
template <class Slice>
void BasicCore<Hooks>::OperandWay<Slice>::start(const GemmJob& job,
                                                const std::optional<QuantizerJob>& quantizer_job,
                                                int64_t half_bytes, TimelineSink* timeline) {
  l1.start(half_bytes);
  l1_flags.clear();
  l0_flags.clear();
  if (quantizer_job) {
    const Machine& machine = job.program->machine();
    const bool residual = quantizer_job->residual != ResidualPattern::kNone;
    quantizer.start(*quantizer_job,
                    {job.program->cycles_a_beat(),
                     machine.quantizer_latency + (residual ? machine.residual_latency : 0)});
  }
  move.start(job, timeline);
  buffer.start(job);
}

template <class Hooks>
template <class Slice>
template <class Visitor>
void BasicCore<Hooks>::OperandWay<Slice>::for_each_channel(Visitor visit) {
  visit(unquantized);
  visit(quantized);
  visit(steps);
  visit(codes);
  visit(scales);
}

template <class Hooks>
BasicCore<Hooks>::BasicCore(const sc_core::sc_module_name& name, const Machine& machine,
                            int64_t largest_burst, SimdTarget target, Hooks hooks)
    : ClockedUnit(name),
      machine_(machine),
      hooks_(hooks),
      a_("a", OperandSide::kA, machine, machine.core.rows, hooks),
      b_("b", OperandSide::kB, machine, machine.core.columns, hooks),
      sums_("sums", BlockSums(machine.core)),
      products_("products", ScaleProducts(machine.core)),
      region_(machine.core),
      region_flags_("region"),
      start_filled_("start_filled"),
      port_("port",
            PortPath{a_.l1, a_.l1_flags, b_.l1, b_.l1_flags, region_, region_flags_, start_filled_},
            largest_burst, std::make_unique<BasicStorePath<Hooks>>(hooks)),
      sequencer_("sequencer", machine,
                 SequencerFlags{a_.l0_flags.filled, b_.l0_flags.filled, region_flags_.free,
                                start_filled_}),
      scale_unit_("scale_unit", machine.core, target, hooks),
      dot_product_unit_("dot_product_unit", machine.core, target, hooks),
      accumulator_("accumulator", machine, target, region_, region_flags_.filled, hooks) {
  a_.bind(*this);
  b_.bind(*this);
  for (ClockedUnit* unit : std::initializer_list<ClockedUnit*>{&port_, &sequencer_, &scale_unit_,
                                                               &dot_product_unit_, &accumulator_}) {
    unit->clock(clock);
    unit->reset_n(reset_n);
  }
  sequencer_.a_steps(a_.steps);
  sequencer_.b_steps(b_.steps);
  scale_unit_.a_scales(a_.scales);
  scale_unit_.b_scales(b_.scales);
  scale_unit_.products(products_);
  dot_product_unit_.a_codes(a_.codes);
  dot_product_unit_.b_codes(b_.codes);
  dot_product_unit_.sums(sums_);
  accumulator_.sums(sums_);
  accumulator_.products(products_);
  port_.done(done);
  if constexpr (Hooks::kPresent) {
    SC_METHOD(announce_cycle);
    sensitive << clock.neg();
    dont_initialize();
  }
}

template <class Hooks>
void BasicCore<Hooks>::start(const GemmJob& job, TimelineSink* timeline) {
  const Program& program = *job.program;
  a_.start(job, job.a_quantizer, program.a_half_bytes(), timeline);
  b_.start(job, job.b_quantizer, program.b_half_bytes(), timeline);
  region_.start(program.body(ChunkIndex{}).tiles(), program.spec());
  region_flags_.clear();
  start_filled_.set(0);
  sequencer_.start(job, timeline);
  scale_unit_.start(job);
  dot_product_unit_.start(job);
  accumulator_.start(job);
  port_.start(job, timeline);
  running_ = true;
  edges_ = 0;
  hooks_.on_cycle(0);
}

template <class Hooks>
CycleReport BasicCore<Hooks>::finish() {
  running_ = false;
  CycleReport report;
  // The edge at which the port saw the last response lies behind the GEMM.
  report.total = edges_ - 1;
  report[Unit::kMemoryPort] = port_.cycles();
  report[Unit::kMoveA] = a_.move.cycles();
  report[Unit::kMoveB] = b_.move.cycles();
  report[Unit::kArray] = sequencer_.cycles();
  for (UnitCycles& unit : report.units) {
    --unit.idle;
  }
  report.steps = sequencer_.steps();
  report.quantized_blocks = a_.move.quantized_blocks() + b_.move.quantized_blocks();
  report.loaded_bytes = port_.loaded_bytes();
  report.stored_bytes = port_.stored_bytes();
  require_balanced(report);
  return report;
}

template <class Hooks>
void BasicCore<Hooks>::tick() {
  edges_ += running_ ? 1 : 0;
}

/// Half a cycle before the edge, so that every process of it comes later.
template <class Hooks>
void BasicCore<Hooks>::announce_cycle() {
  if (running_) {
    hooks_.on_cycle(edges_);
  }
}

template <class Hooks>
void BasicCore<Hooks>::reset() {
  running_ = false;
}

template <class Hooks>
template <class Visitor>
void BasicCore<Hooks>::for_each_channel(Visitor visit) {
  a_.for_each_channel(visit);
  b_.for_each_channel(visit);
  visit(sums_);
  visit(products_);
}

template <class Hooks>
void BasicCore<Hooks>::throttle(uint32_t seed, double probability) {
  for_each_channel([&](auto& channel) { channel.throttle(seed++, probability); });
}

template <class Hooks>
void BasicCore<Hooks>::trace(sc_core::sc_trace_file* file) const {
  sc_core::sc_trace(file, clock, clock.name());
  sc_core::sc_trace(file, reset_n, reset_n.name());
  sc_core::sc_trace(file, done, done.name());
  sc_core::sc_trace(file, edges_, std::string(name()) + ".cycle");
  const_cast<BasicCore*>(this)->for_each_channel([file](const auto& channel) {
    sc_core::sc_trace(file, channel.occupancy(), std::string(channel.name()) + ".occupancy");
  });
  port_.trace(file);
  sequencer_.trace(file);
  scale_unit_.trace(file);
  dot_product_unit_.trace(file);
  accumulator_.trace(file);
}

template class BasicCore<NoHooks>;
template class BasicCore<ProbeHooks>;

}  // namespace nibblecore::hw
