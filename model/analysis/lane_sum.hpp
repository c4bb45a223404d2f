// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace nibblecore {

/// term(0) + ... + term(count - 1) in FP64, as four interleaved sums that are added at the end: an
/// order that compilers can turn into vectors without changing a bit.
template <typename Term>
double lane_sum(int64_t count, const Term& term) {
  constexpr int64_t kLanes = 4;
  std::array<double, kLanes> lanes{};
  int64_t i = 0;
  for (; i + kLanes <= count; i += kLanes) {
    for (int64_t lane = 0; lane < kLanes; ++lane) {
      lanes[static_cast<size_t>(lane)] += term(i + lane);
    }
  }
  for (; i < count; ++i) {
    lanes[static_cast<size_t>(i % kLanes)] += term(i);
  }
  return (lanes[0] + lanes[1]) + (lanes[2] + lanes[3]);
}

}  // namespace nibblecore
