// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "model/fill/fill.hpp"
#include "model/formats/accumulation.hpp"
#include "model/formats/preset.hpp"
#include "model/formats/residual.hpp"
#include "model/machine/energy_table.hpp"
#include "model/machine/machine_file.hpp"
#include "model/machine/tiler.hpp"
#include "model/scheme/scheme.hpp"
#include "model/trace/gemm_record.hpp"
#include "tb/fault/fault.hpp"
#include "tb/replay/correction_options.hpp"

namespace nibblecore::tb {

/// What becomes of records that the trace marks `"quantize":false` (heads, routers).
enum class Unquantized { kList, kSimulate };

/// Whether a replay also compares rollout with training, layer by layer, and more that costs
/// products of their own (layer_measures.hpp).
enum class LayerMeasures { kNo, kYes };

/// What a replay computes, and with what.
enum class Fidelity {
  kCycle,    ///< the SystemC core: every value and every cycle; all bits compared
  kSampled,  ///< the emulator for all values, the SystemC core for a sample of output tiles, which
             ///< are compared, the cycle model for all cycles
  kNumeric,  ///< the emulator alone: values without cycles, and nothing to compare them with
  kTiming,   ///< the cycle model alone: cycles without values; records need no operands
};

struct FidelityRecord {
  std::string_view name;
  Fidelity fidelity;
};
inline constexpr std::array<FidelityRecord, 4> kFidelities{{{"cycle", Fidelity::kCycle},
                                                            {"sampled", Fidelity::kSampled},
                                                            {"numeric", Fidelity::kNumeric},
                                                            {"timing", Fidelity::kTiming}}};

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
  MachineFile machine;
  /// What the core quantizes itself; unset: A where the core has a circuit for what A gets.
  std::optional<Online> online;
  OutputWidth output = OutputWidth::kFp32;
  TilingChoice tiling;
  Fidelity fidelity = Fidelity::kCycle;
  ResidualOptions residual;
  CorrectionOptions corrections;
  std::optional<Scheme> scheme;       ///< takes the place of preset, residual and corrections
  std::optional<Fill> fill;           ///< of records without operands
  std::optional<EnergyTable> energy;  ///< prices of what the machine does
  LayerMeasures layer_measures = LayerMeasures::kNo;
  Unquantized unquantized = Unquantized::kList;
  int threads = 0;           ///< of golden reference and emulator; 0: one per processor
  uint64_t seed = 1;         ///< of the sample of tiles and of all random numbers
  int64_t sample_tiles = 4;  ///< a GEMM
  std::optional<std::filesystem::path> waveform;
  std::optional<std::filesystem::path> timeline;  ///< of the first GEMM that is simulated
  /// Every GEMM's first product is computed once more with this fault in the core.
  std::optional<Fault> fault;

  /// Whether values are computed, and whether cycles are.
  bool has_values() const { return fidelity != Fidelity::kTiming; }
  bool has_cycles() const { return fidelity != Fidelity::kNumeric; }
  /// Whether the SystemC core takes part.
  bool has_core() const { return fidelity == Fidelity::kCycle || fidelity == Fidelity::kSampled; }

  /// Whether a record is multiplied as a 4-bit GEMM, or only listed.
  bool takes(const GemmRecord& record) const {
    return record.quantize || unquantized == Unquantized::kSimulate;
  }
};

/// InputError for options that do not go together, whatever the trace.
void require_choice(const ReplayOptions& options);

}  // namespace nibblecore::tb
