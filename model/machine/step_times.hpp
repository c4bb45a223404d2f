// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

#include "model/machine/program.hpp"

namespace nibblecore {

/// Accumulator stages behind the array: multiply, add, and the write of the last sum.
inline constexpr int64_t kStagesToResult = 3;

/// The passes of a chunk, counted: their order matters only for which one is last.
struct PassCounts {
  using ByEpilogues = std::array<int64_t, kMostEpilogues + 1>;

  std::array<ByEpilogues, kStepKinds> passes{};  ///< by kind and epilogues of macro blocks
  StepKind last = StepKind::kDense;
  int32_t last_epilogues = 0;

  int64_t all() const;
};

PassCounts count_passes(const Program& program, const ChunkBody& body);

/// The array's part of a trip, in cycles from its first step's issue.
struct StepTimes {
  std::array<int64_t, kStepKinds> steps{};  ///< by kind
  int64_t last_issue = 0;
  int64_t accumulate_stall = 0;   ///< cycles between these steps in which none is issued
  int64_t accumulators_free = 0;  ///< when the next chunk of the region may issue its first step
  int64_t result = 0;             ///< when the accumulators hold the last sum

  int64_t all_steps() const;
};

/// Of one chunk's passes over `tiles` tiles (docs/cycles.md, "The array"). InputError where that
/// leaves 64 bits.
StepTimes step_times(const Program& program, const PassCounts& counts, int64_t tiles);

}  // namespace nibblecore
