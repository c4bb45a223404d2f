// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "model/formats/block_format.hpp"

namespace nibblecore {

/// The shape of one tensor core: a step multiplies `rows` x `depth` by `depth` x `columns`, one
/// step a cycle.
struct CoreDescription {
  int rows;
  int columns;
  int depth;

  /// Multiply-accumulates a step.
  constexpr int64_t macs_a_step() const { return int64_t{rows} * columns * depth; }
};

/// 16,384 multiply-accumulates a cycle, at which an Ascend 950 cube and a B200 SM both come out
/// (docs/machines.md).
inline constexpr CoreDescription kDefaultCore{16, 16, 64};

/// InputError unless a step holds whole blocks of `format` and the shape is positive.
void require_supported(const CoreDescription& core, const BlockFormat& format);

}  // namespace nibblecore
