// SPDX-License-Identifier: Apache-2.0
#include "tb/replay/replay_options.hpp"

#include "model/common/error.hpp"
#include "model/formats/named_record.hpp"
#include "tb/bench/engine.hpp"

namespace nibblecore::tb {

Fidelity fidelity(std::string_view name) {
  return find_record(kFidelities, name, "--fidelity").fidelity;
}

std::string_view name_of(Fidelity fidelity) {
  return kFidelities[static_cast<size_t>(fidelity)].name;
}

bool ResidualOptions::covers(const GemmRecord& record) const {
  if (pattern == ResidualPattern::kNone) {
    return false;
  }
  switch (scope) {
    case ResidualScope::kRollout:
      return record.kind == GemmKind::kFprop && record.phase.rfind("rollout.", 0) == 0;
    case ResidualScope::kFprop:
      return record.kind == GemmKind::kFprop;
    case ResidualScope::kAll:
      return true;
  }
  return false;
}

void require_choice(const ReplayOptions& options) {
  const bool numeric = options.fidelity == Fidelity::kNumeric;
  require_policy(numeric ? Engine::kEmulator : Engine::kSystemc, options.accumulation);
  if (!numeric && !options.scheme) {
    require_supported(options.machine.machine.core, options.preset.format);
  }
  if (options.fidelity != Fidelity::kCycle && options.waveform) {
    throw InputError("--vcd", "only --fidelity cycle runs the core that it records");
  }
  if (options.fidelity != Fidelity::kCycle && options.timeline) {
    throw InputError("--timeline", "only --fidelity cycle runs the core that it records");
  }
  if (options.fidelity != Fidelity::kCycle && options.fault) {
    throw InputError("--fault", "only --fidelity cycle runs the core that it breaks");
  }
  if (!options.has_cycles() && options.energy) {
    throw InputError("--energy", "--fidelity numeric runs no machine whose work it prices");
  }
  if (!options.has_values() && options.fill) {
    throw InputError("--fill", "--fidelity timing computes no values and needs no operands");
  }
  if (!options.has_values() && options.layer_measures == LayerMeasures::kYes) {
    throw InputError("--layer-measures", "--fidelity timing computes no values to measure");
  }
}

}  // namespace nibblecore::tb
