// SPDX-License-Identifier: Apache-2.0
#include "model/emulate/exact_run.hpp"

#include <algorithm>

#include "model/common/bits.hpp"
#include "model/common/error.hpp"
#include "model/emulate/code_expander.hpp"

namespace nibblecore {
namespace {

/// The largest significand of a scale, an integer.
int largest_significand(ScaleKind kind) {
  switch (kind) {
    case ScaleKind::kE8m0:
      return 1;
    case ScaleKind::kUe4m3:
      return 15;
    case ScaleKind::kHif4:
      return 7;
  }
  throw InternalError("unknown kind of scale");
}

}  // namespace

ExactRun::ExactRun(const BlockFormat& format) {
  const int element = largest_element(format.element);
  const int significand = largest_significand(format.scale);
  value_bits_ = bit_width(static_cast<uint64_t>(element * element * format.block) *
                          static_cast<uint64_t>(significand * significand));
}

bool ExactRun::include(const NodeScales& scales, int64_t blocks) {
  const int lowest = is_empty() ? scales.lowest : std::min(lowest_, scales.lowest);
  const int highest = is_empty() ? scales.highest : std::max(highest_, scales.highest);
  const int count_bits = bit_width(static_cast<uint64_t>(blocks_ + blocks));
  // A block by itself is exact in FP64 whatever its scale, and however they differ in the tile.
  const bool is_single = is_empty() && blocks == 1;
  if (!is_single && value_bits_ + count_bits + (highest - lowest) > 53) {
    return false;
  }
  blocks_ += blocks;
  lowest_ = lowest;
  highest_ = highest;
  return true;
}

}  // namespace nibblecore
