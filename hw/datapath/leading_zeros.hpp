// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace nibblecore::hw {

/// One level of the leading-zero counter: where the upper `Half` bits are empty, counts them and
/// moves the lower ones up.
template <int Half>
[[gnu::always_inline]] constexpr void count_empty_half(uint32_t& word, int32_t& count) {
  const bool empty = word < (uint32_t{1} << (32 - Half));
  count += empty ? Half : 0;
  word = empty ? word << Half : word;
}

/// Zeros above the highest set bit of 64; 63 for 0. A tree of halves, since not every target counts
/// in its vectors.
[[gnu::always_inline]] constexpr int32_t leading_zeros(uint64_t value) {
  const auto upper = static_cast<uint32_t>(value >> 32);
  const auto lower = static_cast<uint32_t>(value);
  const uint32_t empty = ((upper | (0 - upper)) >> 31) - 1;  // all bits where `upper` is 0
  uint32_t word = upper | (lower & empty);
  auto count = static_cast<int32_t>(empty & 32);
  count_empty_half<16>(word, count);
  count_empty_half<8>(word, count);
  count_empty_half<4>(word, count);
  count_empty_half<2>(word, count);
  count_empty_half<1>(word, count);
  return count;
}

}  // namespace nibblecore::hw
