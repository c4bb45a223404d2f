// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "model/formats/accumulation.hpp"
#include "model/formats/preset.hpp"
#include "model/formats/residual.hpp"
#include "model/machine/core_description.hpp"
#include "model/trace/gemm_record.hpp"

namespace nibblecore::tb {

/// What becomes of records that the trace marks `"quantize":false` (heads, routers).
enum class Unquantized { kList, kSimulate };

/// What a replay computes, and with what.
enum class Fidelity {
  kCycle,    ///< the SystemC core: every value and every cycle; all bits compared
  kNumeric,  ///< the emulator alone: values without cycles, and nothing to compare them with
  kTiming,   ///< the cycle model alone: cycles without values; records need no operands
};

struct FidelityRecord {
  std::string_view name;
  Fidelity fidelity;
};
inline constexpr std::array<FidelityRecord, 3> kFidelities{
    {{"cycle", Fidelity::kCycle}, {"numeric", Fidelity::kNumeric}, {"timing", Fidelity::kTiming}}};

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

  /// Whether a record is multiplied as a 4-bit GEMM, or only listed.
  bool takes(const GemmRecord& record) const {
    return record.quantize || unquantized == Unquantized::kSimulate;
  }
};

/// InputError for options that do not go together, whatever the trace.
void require_choice(const ReplayOptions& options);

}  // namespace nibblecore::tb
