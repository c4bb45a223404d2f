// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <vector>

#include "model/machine/partition.hpp"
#include "model/trace/trace.hpp"
#include "tb/replay/measures.hpp"
#include "tb/replay/replay_options.hpp"

namespace nibblecore::tb {

/// One record of a trace and what a replay will do with it.
struct PlannedGemm {
  GemmRecord record;
  bool simulated = false;
  bool has_residual = false;
  GemmSpec spec{};                     ///< of each product of its batch
  std::optional<Partition> partition;  ///< programs and cycles, where the replay has cycles
  Measures costs;                      ///< of one call: GEMMs, multiply-accumulates, steps, cycles
};

/// The records that pass the filter, with their programs. InputError for whatever is wrong with
/// trace and options, so that a replay fails before it works: no record left, one without operands
/// where values are wanted, a GEMM that the machine can't run, sums that leave 64 bits.
std::vector<PlannedGemm> plan_replay(const ReplayOptions& options, const Trace& trace);

}  // namespace nibblecore::tb
