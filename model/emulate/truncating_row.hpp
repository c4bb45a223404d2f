// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "model/emulate/emulator_target.hpp"
#include "model/emulate/truncating_terms.hpp"

namespace nibblecore {

/// Some outputs of one row and what a node adds to them.
struct TruncatingRow {
  const TruncatingRule& rule;
  const TruncatingTerms& terms;
  const float* a_scales;  ///< of the row: [blocks] at a stride of kPanelRows
  const float* b_scales;  ///< [blocks, kStripColumns]
  double least_power;     ///< of the exponent of a scale that is not zero
  float* accumulators;    ///< [kStripColumns]
  uint8_t* truncation;    ///< [kStripColumns], or null
};

/// Adds the terms to a row of accumulators, whatever they are: aligned, truncated, added and
/// truncated once more as the rule has it.
void add_truncated(const TruncatingRow& row, EmulatorTarget target);

}  // namespace nibblecore
