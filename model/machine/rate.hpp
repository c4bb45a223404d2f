// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace nibblecore {

/// A transfer rate: `bytes` in `cycles` cycles, both positive.
struct Rate {
  int64_t bytes;
  int64_t cycles;

  /// Whole cycles that `count` bytes take: ceil(count * cycles / bytes). InputError where that
  /// leaves 64 bits.
  int64_t duration(int64_t count) const;

  friend constexpr bool operator==(const Rate& a, const Rate& b) {
    return a.bytes == b.bytes && a.cycles == b.cycles;
  }
};

/// `bytes` in `cycles` in lowest terms, so that products with sizes stay small.
Rate make_rate(int64_t bytes, int64_t cycles);

}  // namespace nibblecore
