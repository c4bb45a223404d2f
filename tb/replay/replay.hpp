// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "model/analysis/qdq.hpp"
#include "model/trace/gemm_record.hpp"
#include "tb/bench/scoreboard.hpp"
#include "tb/replay/fault_run.hpp"
#include "tb/replay/layer_measures.hpp"
#include "tb/replay/measures.hpp"
#include "tb/replay/replay_options.hpp"
#include "tb/replay/replay_plan.hpp"
#include "tb/replay/step_report.hpp"

namespace nibblecore::tb {

class ReplayJournal;

/// What the products of a record showed, and nothing that plan and options say already.
struct GemmOutcome {
  Measures measures;                       ///< of one call, its batch included
  std::optional<Mismatch> first_mismatch;  ///< of the core against the golden reference
  std::optional<FaultRun> fault;           ///< what the fault of the options did
};

/// One record of the trace after its replay. What the replay finds out about it is part of its
/// outcome, which a journal keeps.
struct GemmResult : GemmOutcome {
  GemmRecord record;
  Multiplication multiplication = Multiplication::kListed;
  std::string a_treatment;  ///< names of what the operands got
  std::string b_treatment;
  bool has_residual = false;

  /// Whether it was multiplied as a 4-bit GEMM, and whether at all.
  bool is_simulated() const { return multiplication == Multiplication::kBlocks; }
  bool is_multiplied() const { return multiplication != Multiplication::kListed; }
  /// Where its values came from, as reports name it.
  std::string_view values() const {
    return measures.outputs == 0 ? "none" : record.is_filled() ? "synthetic" : "trace";
  }
};

/// Groups of a replay with a residual.
inline constexpr std::string_view kWithResidual = "with residual";
inline constexpr std::string_view kWithoutResidual = "without residual";

struct ReplayResult {
  std::vector<GemmResult> gemms;  ///< in the order of the trace
  Measures totals;
  std::vector<std::pair<std::string, Measures>> phases;  ///< in order of appearance
  std::vector<std::pair<std::string, Measures>> kinds;
  std::vector<std::pair<std::string, Measures>> coverage;  ///< with and without a residual
  std::optional<StepReport> step;                          ///< where the replay has cycles
  std::optional<LayerReport> layers;
  BlasIdentity blas;
  int64_t from_journal = 0;  ///< records whose products a replay before this one had computed

  /// True where every compared bit was equal.
  bool all_equal() const { return totals.mismatches == 0 && totals.emulator_mismatches == 0; }
};

/// Replays a trace: quantizes both operands of every record along K and multiplies them on the
/// machine. At `cycle` fidelity the SystemC core does, every output bit is compared with the golden
/// reference and the emulator's, and every cycle with the cycle model. InputError for whatever is
/// wrong with trace or options, before any work where possible. With a journal, records that it
/// holds are taken from there, and each of the others is added to it when it is finished.
ReplayResult replay(const ReplayOptions& options, ReplayJournal* journal = nullptr);

}  // namespace nibblecore::tb
