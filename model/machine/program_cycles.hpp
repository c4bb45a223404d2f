// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/machine/cycle_report.hpp"
#include "model/machine/program.hpp"

namespace nibblecore {

/// What a program takes on its machine, by the recurrence of docs/cycles.md; where the loops settle
/// into a period, whole periods are added at once, so that the time this takes does not grow with
/// M, N or K. InputError where a figure leaves 64 bits.
CycleReport program_cycles(const Program& program);

}  // namespace nibblecore
