// SPDX-License-Identifier: Apache-2.0
#include "tb/replay/replay_plan.hpp"

#include <algorithm>
#include <string>

#include "model/common/checked.hpp"
#include "model/common/error.hpp"
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
std::vector<GemmRecord> selected_records(const ReplayOptions& options, const Trace& trace) {
  const Filter filter(options.filter);
  std::vector<GemmRecord> selected;
  for (const GemmRecord& record : trace.records()) {
    if (!filter.matches(record)) {
      continue;
    }
    if (treatment_of(options, record).is_quantized() && !record.has_operands() &&
        options.has_values()) {
      throw InputError(place_of(options, record),
                       "the record has no operands; only --fidelity timing does without");
    }
    selected.push_back(record);
  }
  if (selected.empty()) {
    throw InputError("--filter", "no record of the trace matches '" + options.filter + "'");
  }
  return selected;
}

OperandTypes types_of(const Trace& trace, const GemmRecord& record) {
  if (!record.has_operands()) {
    return {};
  }
  const Operands operands = trace.operands(record, 0);
  return {operands.a.type, operands.b.type};
}

/// Cycles of one call: the batch's products one after the other, each as long as its slowest core.
void add_cycles(const Machine& machine, const std::string& place, PlannedGemm& gemm) {
  const auto slowest = std::max_element(
      gemm.partition->programs.begin(), gemm.partition->programs.end(),
      [](const TimedProgram& a, const TimedProgram& b) { return a.report.total < b.report.total; });
  int64_t steps = 0;
  for (const TimedProgram& timed : gemm.partition->programs) {
    steps = checked_add(steps, checked_multiply(timed.program.steps(), timed.count, place), place);
  }
  const int64_t batch = gemm.record.batch;
  for (const int64_t figure :
       {slowest->report.total, slowest->report.loaded_bytes, slowest->report.stored_bytes, steps}) {
    checked_multiply(figure, batch, place);
  }
  gemm.costs.steps = steps * batch;
  gemm.costs.cycles.add(slowest->report, batch);
  gemm.costs.bf16_cycles = bf16_cycles(machine, gemm.record);
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
  return gemm;
}

PlannedGemm planned(const ReplayOptions& options, const Trace& trace, const GemmRecord& record) {
  PlannedGemm gemm = classified(options, record);
  const Machine& machine = options.machine.machine;
  if (gemm.multiplication != Multiplication::kBlocks) {
    if (gemm.multiplication == Multiplication::kNumbers) {
      gemm.costs.numbers = 1;
      if (options.has_core()) {
        throw InputError(place_of(options, record),
                         "operands " + gemm.treatment.a.name + " and " + gemm.treatment.b.name +
                             " are no 4-bit GEMM: --fidelity numeric or timing");
      }
    }
    gemm.costs.unquantized_cycles = options.has_cycles() ? bf16_cycles(machine, record) : 0;
    return gemm;
  }
  gemm.costs.simulated = 1;
  gemm.costs.simulated_macs = gemm.costs.macs;
  gemm.spec = gemm_spec(options, record, types_of(trace, record), gemm.treatment);
  if (options.has_cycles()) {
    gemm.partition = choose_partition(machine, gemm.spec, options.tiling);
    add_cycles(machine, place_of(options, record), gemm);
    if (options.fault) {
      require_fault(*options.fault, *gemm.partition);
    }
  }
  return gemm;
}

/// Sums over all records, counts included, that have to stay within 64 bits; the others are smaller
/// than one of these.
class Sums {
 public:
  void add(const PlannedGemm& gemm, const std::string& place) {
    const Measures& costs = gemm.costs;
    const std::array<int64_t, kFigures> figures{costs.macs, costs.total_cycles(), costs.bf16_cycles,
                                                costs.cycles.loaded_bytes,
                                                costs.cycles.stored_bytes};
    for (size_t i = 0; i < kFigures; ++i) {
      sums_[i] =
          checked_add(sums_[i], checked_multiply(figures[i], gemm.record.count, place), place);
    }
  }

 private:
  static constexpr size_t kFigures = 5;
  std::array<int64_t, kFigures> sums_{};
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

std::vector<PlannedGemm> plan_replay(const ReplayOptions& options, const Trace& trace) {
  std::vector<PlannedGemm> plan;
  Sums sums;
  for (const GemmRecord& record : selected_records(options, trace)) {
    plan.push_back(planned(options, trace, record));
    sums.add(plan.back(), place_of(options, record));
  }
  return plan;
}

}  // namespace nibblecore::tb
