// SPDX-License-Identifier: Apache-2.0
#include "tb/replay/step_report.hpp"

#include <algorithm>

namespace nibblecore::tb {

std::string_view phase_group(std::string_view phase) {
  const size_t last = phase.find_last_not_of("0123456789");
  return last == std::string_view::npos ? phase : phase.substr(0, last + 1);
}

void StepPart::add(const GemmRecord& record, const Measures& measures) {
  BoundCycles bound = bound_cycles(measures.cycles);
  bound[Bound::kBf16] = measures.unquantized_cycles;
  const int64_t count = record.count;
  gemms += measures.gemms * count;
  macs += measures.macs * count;
  cycles.add(bound, count);
  bf16_cycles += (measures.bf16_cycles + measures.unquantized_cycles) * count;
  roofline_cycles += measures.roofline_cycles * count;
  bf16_roofline_cycles += measures.bf16_roofline_cycles * count;
  cycles_by_kind.at(static_cast<size_t>(record.kind)) += measures.total_cycles() * count;
  units.add(measures.cycles, count);
  work.add(measures.work, count);
}

void StepReport::add(const GemmRecord& record, const Measures& measures) {
  const std::string_view group = phase_group(record.phase);
  auto phase = std::find_if(phases_.begin(), phases_.end(),
                            [&](const StepPart& part) { return part.name == group; });
  if (phase == phases_.end()) {
    phase = phases_.insert(phases_.end(), StepPart{});
    phase->name = group;
  }
  phase->add(record, measures);
  all_.add(record, measures);
  if (record.rank) {
    ranks_.insert(*record.rank);
  }
}

int64_t StepReport::ranks() const {
  return std::max<int64_t>(1, static_cast<int64_t>(ranks_.size()));
}

}  // namespace nibblecore::tb
