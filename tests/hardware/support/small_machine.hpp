// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tests/unit/machine/random_programs.hpp"

namespace nibblecore::test {

/// The round machine with buffers so small that GEMMs of a few tiles pass in several regions and
/// chunks.
inline Machine small_machine(const CoreDescription& core = kDefaultCore) {
  Machine machine = round_machine();
  machine.core = core;
  const int64_t tile = int64_t{core.rows} * core.columns;
  machine.l1_bytes = 65'536;
  machine.l0a_bytes = 16'384;
  machine.l0b_bytes = 16'384;
  machine.l0c_bytes = tile * 2 * 4 * 4;  // two halves of four tiles
  return machine;
}

}  // namespace nibblecore::test
