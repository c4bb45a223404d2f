// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "model/emulate/lane_vectors.hpp"
#include "model/emulate/tile_shape.hpp"

namespace nibblecore {

/// What a node has taken from the outputs of one row, in the low byte of each.
using LossRow = std::array<int32_t, kStripColumns>;

/// Adds the bits of a row to the outputs' bytes.
template <int Width>
[[gnu::always_inline]] inline void tell_losses(const LossRow& losses, uint8_t* truncation) {
  using Vectors = LaneVectors<Width>;
  for (size_t column = 0; column < losses.size(); column += size_t{Width}) {
    typename Vectors::Int lanes;
    typename Vectors::Bytes bytes;
    typename Vectors::Bytes before;
    Vectors::load(losses.data() + column, lanes);
    bytes = __builtin_convertvector(lanes, typename Vectors::Bytes);
    Vectors::load(truncation + column, before);
    Vectors::store(before | bytes, truncation + column);
  }
}

}  // namespace nibblecore
