// SPDX-License-Identifier: Apache-2.0
#include "tb/replay/replay_plan.hpp"

#include <array>
#include <optional>
#include <string>

#include "model/common/checked.hpp"
#include "model/common/error.hpp"
#include "model/machine/energy.hpp"
#include "model/trace/filter.hpp"
#include "model/trace/manifest.hpp"
#include "tb/replay/fault_run.hpp"
#include "tb/replay/machine_gemm.hpp"
#include "tb/replay/treatment.hpp"

namespace nibblecore::tb {
namespace {

std::string place_of(const ReplayOptions& options, const GemmRecord& record) {
  return (options.trace / kManifestName).string() + ":" + std::to_string(record.line);
}

/// The records that pass the filter; InputError where there are none, or one to be simulated holds
/// no operands.
std::vector<GemmRecord> selected_records(const ReplayOptions& options,
                                         const OperandSource& source) {
  const Filter filter(options.filter);
  std::vector<GemmRecord> selected;
  for (const GemmRecord& record : source.records()) {
    if (!filter.matches(record)) {
      continue;
    }
    if (treatment_of(options, record).is_quantized() && options.has_values()) {
      if (!record.has_operands()) {
        throw InputError(place_of(options, record),
                         "the record has no operands; --fill makes synthetic ones, --fidelity "
                         "timing does without");
      }
      source.require_room(record, place_of(options, record));
    }
    selected.push_back(record);
  }
  if (selected.empty()) {
    throw InputError("--filter", "no record of the trace matches '" + options.filter + "'");
  }
  return selected;
}

OperandTypes types_of(const OperandSource& source, const GemmRecord& record) {
  if (!record.has_operands()) {
    return {};
  }
  const auto [a, b] = source.types(record);
  return {a, b};
}

/// Does what may find that a figure leaves 64 bits; the error names the record.
template <typename Action>
void at(const std::string& place, const Action& action) {
  try {
    action();
  } catch (const InputError& error) {
    throw InputError(place, error.what());
  }
}

/// Cycles and work of one call: the batch's products one after the other, each as long as its
/// slowest core.
void add_costs(const Machine& machine, const std::string& place, const GemmPlan& plan,
               PlannedGemm& gemm) {
  const int64_t batch = gemm.record.batch;
  for (const int64_t figure :
       {plan.slowest.total, plan.slowest.loaded_bytes, plan.slowest.stored_bytes, plan.steps}) {
    checked_multiply(figure, batch, place);
  }
  gemm.costs.steps = plan.steps * batch;
  at(place, [&] {
    gemm.costs.cycles.add(plan.slowest, batch);
    gemm.costs.roofline_cycles =
        checked_multiply(roofline_cycles(machine, gemm.spec, plan.steps), batch, place);
    gemm.costs.bf16_cycles = bf16_cycles(machine, gemm.record);
    gemm.costs.bf16_roofline_cycles = bf16_roofline_cycles(machine, gemm.record);
    gemm.costs.work.add(plan.work, batch);
  });
}

Multiplication multiplication_of(const GemmTreatment& treatment) {
  if (!treatment.is_quantized()) {
    return Multiplication::kListed;
  }
  return treatment.is_block_scaled() ? Multiplication::kBlocks : Multiplication::kNumbers;
}

/// What applies to a record whatever machine multiplies it.
PlannedGemm classified(const ReplayOptions& options, const GemmRecord& record) {
  PlannedGemm gemm;
  gemm.record = record;
  gemm.treatment = treatment_of(options, record);
  gemm.multiplication = multiplication_of(gemm.treatment);
  if (gemm.treatment.a.is_packed()) {
    require_recipe(*gemm.treatment.a.recipe, record.k);
  }
  if (gemm.treatment.b.is_packed()) {
    require_recipe(*gemm.treatment.b.recipe, record.k);
  }
  gemm.costs.gemms = 1;
  gemm.costs.macs = record.macs() / record.count;
  gemm.costs.synthetic =
      record.is_filled() && gemm.multiplication != Multiplication::kListed ? 1 : 0;
  return gemm;
}

/// What is known of a record before its GEMM is planned.
PlannedGemm specified(const ReplayOptions& options, const OperandSource& source,
                      const GemmRecord& record) {
  PlannedGemm gemm = classified(options, record);
  if (gemm.multiplication != Multiplication::kBlocks) {
    if (gemm.multiplication == Multiplication::kNumbers) {
      gemm.costs.numbers = 1;
      if (options.has_core()) {
        throw InputError(place_of(options, record),
                         "operands " + gemm.treatment.a.name + " and " + gemm.treatment.b.name +
                             " are no 4-bit GEMM: --fidelity numeric or timing");
      }
    }
    if (options.has_cycles()) {
      const Machine& machine = options.machine.machine;
      at(place_of(options, record), [&] {
        gemm.costs.unquantized_cycles = bf16_cycles(machine, record);
        gemm.costs.bf16_roofline_cycles = bf16_roofline_cycles(machine, record);
        gemm.costs.roofline_cycles = gemm.costs.bf16_roofline_cycles;
        gemm.costs.work.add(bf16_work(record.m, record.n, record.k), record.batch);
      });
    }
    return gemm;
  }
  gemm.costs.simulated = 1;
  gemm.costs.simulated_macs = gemm.costs.macs;
  gemm.spec = gemm_spec(options, record, types_of(source, record), gemm.treatment);
  return gemm;
}

/// Sums over all records, counts included, that have to stay within 64 bits; the others are smaller
/// than one of these.
class Sums {
 public:
  void add(const PlannedGemm& gemm, const std::string& place) {
    const Measures& costs = gemm.costs;
    const std::array<int64_t, kFigures> figures{costs.macs,
                                                costs.total_cycles(),
                                                costs.roofline_cycles,
                                                costs.bf16_roofline_cycles,
                                                costs.cycles.loaded_bytes,
                                                costs.cycles.stored_bytes};
    for (size_t i = 0; i < kFigures; ++i) {
      sums_[i] =
          checked_add(sums_[i], checked_multiply(figures[i], gemm.record.count, place), place);
    }
    at(place, [&] { work_.add(costs.work, gemm.record.count); });
  }
  const WorkCounts& work() const { return work_; }

 private:
  static constexpr size_t kFigures = 6;
  std::array<int64_t, kFigures> sums_{};
  WorkCounts work_;
};

}  // namespace

std::string_view name_of(Multiplication multiplication) {
  switch (multiplication) {
    case Multiplication::kListed:
      return "listed";
    case Multiplication::kNumbers:
      return "numbers";
    case Multiplication::kBlocks:
      break;
  }
  return "blocks";
}

std::vector<PlannedGemm> plan_replay(const ReplayOptions& options, const OperandSource& source) {
  const Machine& machine = options.machine.machine;
  PlanCache cache(machine, options.tiling,
                  options.fidelity == Fidelity::kCycle || options.fault ? Partitions::kKept
                                                                        : Partitions::kDropped);
  std::vector<PlannedGemm> plan;
  std::vector<std::optional<size_t>> places;
  for (const GemmRecord& record : selected_records(options, source)) {
    plan.push_back(specified(options, source, record));
    const bool is_timed =
        options.has_cycles() && plan.back().multiplication == Multiplication::kBlocks;
    places.push_back(is_timed ? std::optional(cache.add(plan.back().spec)) : std::nullopt);
  }
  cache.plan(options.threads);
  Sums sums;
  for (size_t i = 0; i < plan.size(); ++i) {
    const std::string place = place_of(options, plan[i].record);
    if (places[i]) {
      plan[i].plan = cache.at(*places[i]);
      add_costs(machine, place, *plan[i].plan, plan[i]);
      if (options.fault) {
        require_fault(*options.fault, *plan[i].plan->partition);
      }
    }
    sums.add(plan[i], place);
  }
  if (options.energy) {
    energy_of(sums.work(), *options.energy);
  }
  return plan;
}

}  // namespace nibblecore::tb
