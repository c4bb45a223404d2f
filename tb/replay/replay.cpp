// SPDX-License-Identifier: Apache-2.0
#include "tb/replay/replay.hpp"

#include <algorithm>
#include <memory>

#include "model/trace/trace.hpp"
#include "tb/bench/core_bench.hpp"
#include "tb/bench/timeline_file.hpp"
#include "tb/bench/waveform.hpp"
#include "tb/replay/progress.hpp"
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
  Replayer(const ReplayOptions& options, const Trace& trace, const std::vector<PlannedGemm>& plan)
      : options_(options),
        trace_(trace),
        ordinals_(trace.records()),
        has_residuals_(std::any_of(plan.begin(), plan.end(), [](const PlannedGemm& gemm) {
          return gemm.treatment.has_residual();
        })) {
    if (options.layer_measures == LayerMeasures::kYes) {
      observer_ = std::make_unique<LayerObserver>(options, trace.records());
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
      multiply(gemm, result);
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
    if (observer_) {
      replayed_.layers = observer_->report();
    }
    return std::move(replayed_);
  }

 private:
  /// All products of a record's batch.
  void multiply(const PlannedGemm& gemm, GemmResult& result) {
    ProductRun run;
    run.spec = gemm.spec;
    run.observer = observer_.get();
    run.partition = gemm.partition ? &*gemm.partition : nullptr;
    run.bench = bench_.get();
    for (int64_t i = 0; i < gemm.record.batch; ++i) {
      run.ordinal = products_++;
      run.batch_index = i;
      run.timeline = run.ordinal == 0 ? timeline_.get() : nullptr;
      run.treatment = with_streams(gemm.treatment, gemm.record, ordinals_, options_.seed, i);
      replay_product(options_, trace_.operands(gemm.record, i), run, result);
    }
  }

  void add_to_sums(const GemmResult& result) {
    replayed_.totals.add(result.measures, result.record.count);
    add_to_group(replayed_.phases, result.record.phase, result);
    add_to_group(replayed_.kinds, name_of(result.record.kind), result);
    if (has_residuals_ && result.is_simulated()) {
      add_to_group(replayed_.coverage, result.has_residual ? kWithResidual : kWithoutResidual,
                   result);
    }
  }

  const ReplayOptions& options_;
  const Trace& trace_;
  TensorOrdinals ordinals_;
  bool has_residuals_;
  std::unique_ptr<LayerObserver> observer_;
  std::unique_ptr<CoreBench> bench_;
  std::unique_ptr<Waveform> waveform_;
  std::unique_ptr<TimelineFile> timeline_;
  ReplayResult replayed_;
  int64_t products_ = 0;
};

}  // namespace

ReplayResult replay(const ReplayOptions& options) {
  require_choice(options);
  const Trace trace(options.trace);
  trace.validate();
  const std::vector<PlannedGemm> plan = plan_replay(options, trace);
  const auto work = [](const PlannedGemm& gemm) {
    return gemm.multiplication == Multiplication::kListed ? 0 : gemm.costs.macs;
  };
  int64_t all_macs = 0;
  for (const PlannedGemm& gemm : plan) {
    all_macs += work(gemm);
  }
  Replayer replayer(options, trace, plan);
  Progress progress("MAC", all_macs);
  for (const PlannedGemm& gemm : plan) {
    replayer.run(gemm);
    progress.advance(work(gemm));
  }
  progress.finish();
  return replayer.finish();
}

}  // namespace nibblecore::tb
