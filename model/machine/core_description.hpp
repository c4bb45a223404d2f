// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "model/formats/block_format.hpp"

namespace nibblecore {

/// The shape of one tensor core: a step multiplies `rows` x `depth` by `depth` x `columns`, one
/// step a cycle.
struct CoreDescription {
  std::string_view name;
  int rows;
  int columns;
  int depth;
  std::string_view source;

  /// Multiply-accumulates a step.
  constexpr int64_t macs_a_step() const { return int64_t{rows} * columns * depth; }
};

/// 16 x 16 x 64, 16,384 MAC a cycle.
inline constexpr CoreDescription kDefaultCore{
    "core16x16x64", 16, 16, 64,
    "computed: 1513e12 / (28 cores * 1.65e9 Hz * 2) = 16,374 (Ascend 950PR, CANN platform file) "
    "and "
    "9e15 / (148 SM * 1.85e9 Hz * 2) = 16,435 (B200) FP4 MAC a cycle, both about 16 x 16 x 64"};

/// The cores that have a name on the command line.
inline constexpr std::array<CoreDescription, 1> kCores{kDefaultCore};

/// The core of this name; InputError naming the known ones otherwise.
const CoreDescription& core_description(std::string_view name);

/// InputError unless a step holds whole blocks of `format` and the shape is positive.
void require_supported(const CoreDescription& core, const BlockFormat& format);

}  // namespace nibblecore
