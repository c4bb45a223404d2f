// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "model/machine/cycle_report.hpp"
#include "model/machine/program.hpp"
#include "model/machine/trip_runs.hpp"

namespace nibblecore {

/// What a program takes on its machine, by the recurrence of docs/cycles.md; where the loops settle
/// into a period, whole periods are added at once, so that the time this takes does not grow with
/// M, N or K. InputError where a figure leaves 64 bits.
CycleReport program_cycles(const Program& program);
/// The same, with chunk_runs(program), which do not depend on its M and N.
CycleReport program_cycles(const Program& program, const std::vector<ChunkRun>& chunks);

}  // namespace nibblecore
