// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "model/machine/program.hpp"

namespace nibblecore {

/// Cycles that the program takes at least: never more than program_cycles(program).total, and much
/// cheaper. Each unit's work without a wait, behind what must come before its first operation and
/// in front of what must come after its last.
int64_t least_cycles(const Program& program);

}  // namespace nibblecore
