// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "model/analysis/qdq.hpp"
#include "model/formats/accumulation.hpp"
#include "model/formats/preset.hpp"
#include "model/formats/residual.hpp"
#include "model/machine/core_description.hpp"
#include "model/trace/gemm_record.hpp"
#include "tb/bench/scoreboard.hpp"
#include "tb/replay/measures.hpp"

namespace nibblecore::tb {

/// What becomes of records that the trace marks `"quantize":false` (heads, routers).
enum class Unquantized { kList, kSimulate };

/// What computes the values of a replay.
enum class Fidelity {
  kCycle,    ///< the SystemC core, every value and every cycle; all bits compared
  kNumeric,  ///< the emulator alone: values without cycles, and nothing to compare them with
};

inline constexpr std::array<std::pair<std::string_view, Fidelity>, 2> kFidelities{
    {{"cycle", Fidelity::kCycle}, {"numeric", Fidelity::kNumeric}}};

/// The fidelity of this name; InputError naming the known ones otherwise.
Fidelity fidelity(std::string_view name);
std::string_view name_of(Fidelity fidelity);

/// The residual of operand A (Rollout-ResQ), and the GEMMs that get one.
struct ResidualOptions {
  ResidualPattern pattern = ResidualPattern::kNone;
  ResidualBuild build = ResidualBuild::kSerial;
  ResidualOrder order = ResidualOrder::kInterleaved;
  ResidualScope scope = ResidualScope::kRollout;

  /// Whether this GEMM gets a residual.
  bool covers(const GemmRecord& record) const;
};

struct ReplayOptions {
  std::filesystem::path trace;
  std::string filter;
  Preset preset;
  Accumulation accumulation = Accumulation::kFp32Rne;
  CoreDescription core = kDefaultCore;
  Fidelity fidelity = Fidelity::kCycle;
  ResidualOptions residual;
  Unquantized unquantized = Unquantized::kList;
  int threads = 0;  ///< of golden reference and emulator; 0: one per processor
  std::optional<std::filesystem::path> waveform;
};

/// One record of the trace after its replay.
struct GemmResult {
  GemmRecord record;
  bool simulated = false;
  bool has_residual = false;
  Measures measures;                       ///< of one call, its batch included
  std::optional<Mismatch> first_mismatch;  ///< of the core against the golden reference
};

struct ReplayResult {
  std::vector<GemmResult> gemms;  ///< in the order of the trace
  Measures totals;
  std::vector<std::pair<std::string, Measures>> phases;  ///< in order of appearance
  std::vector<std::pair<std::string, Measures>> kinds;
  BlasIdentity blas;

  /// True where every compared bit was equal.
  bool all_equal() const { return totals.mismatches == 0 && totals.emulator_mismatches == 0; }
};

/// Replays a trace: quantizes both operands of every record along K and multiplies them. At `cycle`
/// fidelity the SystemC core does, every output bit is compared with the golden reference, and the
/// emulator with both. InputError for whatever is wrong with trace or options, before any work
/// where possible.
ReplayResult replay(const ReplayOptions& options);

}  // namespace nibblecore::tb
