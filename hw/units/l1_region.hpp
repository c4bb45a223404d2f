// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace nibblecore::hw {

/// One operand's part of L1: two halves, each of which holds a piece of the operand, or all pieces
/// of a panel that stays for a while.
class L1Region {
 public:
  /// Room for this many bytes a half.
  void start(int64_t bytes) {
    for (std::vector<uint8_t>& half : halves_) {
      half.assign(static_cast<size_t>(bytes), 0);
    }
  }

  uint8_t* piece(size_t half, int64_t offset) { return halves_.at(half).data() + offset; }

 private:
  std::array<std::vector<uint8_t>, 2> halves_;
};

}  // namespace nibblecore::hw
