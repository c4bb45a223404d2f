// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace nibblecore {

/// Adds the low bits of every lane of `bits`, a vector of integers of type Lane, to a byte each.
template <class Lane, class Vector>
[[gnu::always_inline]] inline void tell_losses(const Vector& bits, uint8_t* truncation) {
  std::array<Lane, sizeof bits / sizeof(Lane)> lanes;
  std::memcpy(lanes.data(), &bits, sizeof bits);
  for (size_t i = 0; i < lanes.size(); ++i) {
    truncation[i] = static_cast<uint8_t>(truncation[i] | static_cast<uint8_t>(lanes[i]));
  }
}

}  // namespace nibblecore
