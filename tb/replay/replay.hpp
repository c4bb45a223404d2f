// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "model/analysis/qdq.hpp"
#include "model/formats/accumulation.hpp"
#include "model/formats/preset.hpp"
#include "model/machine/core_description.hpp"
#include "model/trace/gemm_record.hpp"
#include "tb/bench/scoreboard.hpp"
#include "tb/replay/measures.hpp"

namespace nibblecore::tb {

/// What becomes of records that the trace marks `"quantize":false` (heads, routers).
enum class Unquantized { kList, kSimulate };

struct ReplayOptions {
  std::filesystem::path trace;
  std::string filter;
  Preset preset;
  Accumulation accumulation = Accumulation::kFp32Rne;
  CoreDescription core = kDefaultCore;
  Unquantized unquantized = Unquantized::kList;
  int threads = 0;  ///< of golden reference and emulator; 0: one per processor
  std::optional<std::filesystem::path> waveform;
};

/// One record of the trace after its replay.
struct GemmResult {
  GemmRecord record;
  bool simulated = false;
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

/// Replays a trace at `cycle` fidelity: quantizes both operands of every record along K, runs the
/// SystemC core, and compares every output bit with the golden reference, and the emulator with
/// both. InputError for whatever is wrong with trace or options, before any work where possible.
ReplayResult replay(const ReplayOptions& options);

}  // namespace nibblecore::tb
