// SPDX-License-Identifier: Apache-2.0
#include "tb/replay/replay.hpp"

#include <algorithm>
#include <memory>

#include "model/fill/operand_source.hpp"
#include "model/trace/trace.hpp"
#include "tb/bench/core_bench.hpp"
#include "tb/bench/timeline_file.hpp"
#include "tb/bench/waveform.hpp"
#include "tb/replay/progress.hpp"
#include "tb/replay/replay_identity.hpp"
#include "tb/replay/replay_journal.hpp"
#include "tb/replay/replay_plan.hpp"
#include "tb/replay/replay_product.hpp"
#include "tb/replay/treatment.hpp"

namespace nibblecore::tb {
namespace {

void add_to_group(std::vector<std::pair<std::string, Measures>>& groups, std::string_view name,
                  const GemmResult& result) {
  const auto found = std::find_if(groups.begin(), groups.end(),
                                  [&](const auto& group) { return group.first == name; });
  Measures& sum = found != groups.end() ? found->second
                                        : groups.emplace_back(std::string(name), Measures{}).second;
  sum.add(result.measures, result.record.count);
}

/// One replay under way.
class Replayer {
 public:
  Replayer(const ReplayOptions& options, const Trace& trace, const OperandSource& source,
           const std::vector<PlannedGemm>& plan, ReplayJournal* journal)
      : options_(options),
        trace_(trace),
        source_(source),
        ordinals_(source.records()),
        has_residuals_(
            std::any_of(plan.begin(), plan.end(),
                        [](const PlannedGemm& gemm) { return gemm.treatment.has_residual(); })),
        journal_(journal) {
    if (options.layer_measures == LayerMeasures::kYes) {
      observer_ = std::make_unique<LayerObserver>(options, source.records());
      replayed_.layers.emplace();
    }
    if (options.has_core()) {
      bench_ = std::make_unique<CoreBench>("bench", options.machine.machine);
    }
    if (options.waveform) {
      waveform_ = std::make_unique<Waveform>(*options.waveform);
      bench_->trace(waveform_->file());
    }
    if (options.timeline) {
      timeline_ = std::make_unique<TimelineFile>(*options.timeline);
    }
    if (options.has_cycles()) {
      replayed_.step.emplace();
    }
    replayed_.blas = blas_identity();
  }

  /// Replays one record and adds it to the sums.
  void run(const PlannedGemm& gemm) {
    GemmResult result;
    result.record = gemm.record;
    result.multiplication = gemm.multiplication;
    result.a_treatment = gemm.treatment.a.name;
    result.b_treatment = gemm.treatment.b.name;
    result.has_residual = gemm.treatment.has_residual();
    result.measures = gemm.costs;
    if (result.is_multiplied() && options_.has_values()) {
      find_outcome(gemm, result);
    }
    add_to_sums(result);
    replayed_.gemms.push_back(std::move(result));
  }

  ReplayResult finish() {
    if (waveform_) {
      // Where nothing was simulated, the file gets its header only so.
      bench_->idle(1);
      waveform_->close();
    }
    if (timeline_) {
      timeline_->close();
    }
    return std::move(replayed_);
  }

 private:
  /// What the journal holds of a record, or else what multiplying shows, which the journal then
  /// gets.
  void find_outcome(const PlannedGemm& gemm, GemmResult& result) {
    const auto position = static_cast<int64_t>(replayed_.gemms.size());
    std::vector<LayerObservation> observations;
    std::optional<JournalEntry> entry;
    if (journal_ != nullptr) {
      entry = journal_->take(position, gemm.record.id);
    }
    if (entry) {
      static_cast<GemmOutcome&>(result) = entry->outcome;
      observations = std::move(entry->observations);
      ++replayed_.from_journal;
    } else {
      multiply(gemm, result, observations);
      if (journal_ != nullptr) {
        const GemmOutcome& outcome = result;
        journal_->add({position, gemm.record.id, outcome, observations});
      }
    }
    products_ += gemm.record.batch;
    for (const LayerObservation& observation : observations) {
      replayed_.layers->add(gemm.record, observation);
    }
  }

  /// All products of a record's batch.
  void multiply(const PlannedGemm& gemm, GemmResult& result,
                std::vector<LayerObservation>& observations) {
    ProductRun run;
    run.spec = gemm.spec;
    run.observer = observer_.get();
    run.observations = &observations;
    run.partition = gemm.plan && gemm.plan->partition ? &*gemm.plan->partition : nullptr;
    run.bench = bench_.get();
    for (int64_t i = 0; i < gemm.record.batch; ++i) {
      run.ordinal = products_ + i;
      run.batch_index = i;
      run.timeline = run.ordinal == 0 ? timeline_.get() : nullptr;
      run.treatment = with_streams(gemm.treatment, gemm.record, ordinals_, options_.seed, i);
      const HeldOperands held = source_.operands(gemm.record, i);
      replay_product(options_, held.operands(), run, result);
      if (!gemm.record.is_filled()) {
        trace_.release(gemm.record, i);
      }
    }
  }

  void add_to_sums(const GemmResult& result) {
    replayed_.totals.add(result.measures, result.record.count);
    if (replayed_.step) {
      replayed_.step->add(result.record, result.measures);
    }
    add_to_group(replayed_.phases, result.record.phase, result);
    add_to_group(replayed_.kinds, name_of(result.record.kind), result);
    if (has_residuals_ && result.is_simulated()) {
      add_to_group(replayed_.coverage, result.has_residual ? kWithResidual : kWithoutResidual,
                   result);
    }
  }

  const ReplayOptions& options_;
  const Trace& trace_;
  const OperandSource& source_;
  TensorOrdinals ordinals_;
  bool has_residuals_;
  ReplayJournal* journal_;
  std::unique_ptr<LayerObserver> observer_;
  std::unique_ptr<CoreBench> bench_;
  std::unique_ptr<Waveform> waveform_;
  std::unique_ptr<TimelineFile> timeline_;
  ReplayResult replayed_;
  int64_t products_ = 0;  ///< of the records before
};

}  // namespace

ReplayResult replay(const ReplayOptions& options, ReplayJournal* journal) {
  require_choice(options);
  const Trace trace(options.trace);
  trace.validate();
  const OperandSource source(trace, options.fill, options.seed, options.threads);
  const std::vector<PlannedGemm> plan = plan_replay(options, source);
  const auto work = [](const PlannedGemm& gemm) {
    return gemm.multiplication == Multiplication::kListed ? 0 : gemm.costs.macs;
  };
  int64_t all_macs = 0;
  for (const PlannedGemm& gemm : plan) {
    all_macs += work(gemm);
  }
  if (journal != nullptr) {
    journal->open(replay_identity(options, plan));
  }
  Replayer replayer(options, trace, source, plan, journal);
  Progress progress("MAC", all_macs);
  for (const PlannedGemm& gemm : plan) {
    replayer.run(gemm);
    progress.advance(work(gemm));
  }
  progress.finish();
  return replayer.finish();
}

}  // namespace nibblecore::tb
