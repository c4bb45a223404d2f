// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

#include "model/emulate/operand_strips.hpp"

namespace nibblecore {

/// Rows of B (columns of the result) that one row of A meets at a time.
inline constexpr int kStripColumns = 32;

/// One scale block of a strip: elements [length, width], scales [width] and their range.
struct StripBlock {
  const int16_t* elements;
  const float* scales;
  ScaleRange range;
};

using RowAccumulators = std::array<float, kStripColumns>;

/// Adds the dots of one block of one row of A (a strip of width 1) with kStripColumns rows of B to
/// their accumulators, each sum rounded to FP32 once (nearest even). `length` is 16, 32 or 64.
void accumulate_row_block(const StripBlock& a, const StripBlock& b, int length,
                          RowAccumulators& accumulators);

}  // namespace nibblecore
