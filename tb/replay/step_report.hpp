// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "model/trace/gemm_record.hpp"
#include "tb/replay/measures.hpp"
#include "tb/replay/step_bound.hpp"

namespace nibblecore::tb {

/// The phase that a step's phases are grouped by: its name without the number of a decode step,
/// `rollout.decode` for `rollout.decode17`.
std::string_view phase_group(std::string_view phase);

/// GEMMs of a step, one after the other.
struct StepPart {
  std::string name;
  int64_t gemms = 0;
  int64_t macs = 0;
  BoundCycles cycles;
  int64_t roofline_cycles = 0;       ///< the least with the machine's memory
  int64_t bf16_cycles = 0;           ///< of all of them at the machine's BF16 rate
  int64_t bf16_roofline_cycles = 0;  ///< the least with its memory
  std::array<int64_t, kGemmKinds.size()> cycles_by_kind{};
  CycleReport units;  ///< of the 4-bit GEMMs on their slowest cores
  WorkCounts work;    ///< of all cores

  void add(const GemmRecord& record, const Measures& measures);
};

/// A whole step by phases; every figure of `all` is the sum of the phases'.
class StepReport {
 public:
  /// Adds a record with what one call of it takes.
  void add(const GemmRecord& record, const Measures& measures);

  const StepPart& all() const { return all_; }
  /// In order of appearance.
  const std::vector<StepPart>& phases() const { return phases_; }
  /// Different ranks that records name, at least 1.
  int64_t ranks() const;

 private:
  StepPart all_;
  std::vector<StepPart> phases_;
  std::set<int64_t> ranks_;
};

}  // namespace nibblecore::tb
