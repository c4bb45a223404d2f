// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "hw/datapath/lanes.hpp"

namespace nibblecore::hw {

/// Words of 8 or 16 bits of every lane, turned from rows of lanes into buses.
template <class Word>
class LaneWords {
 public:
  /// `words`: of a lane.
  LaneWords(int lanes, ptrdiff_t words)
      : lanes_(lanes),
        words_(words),
        buses_(static_cast<size_t>(padded_lanes(lanes) / kLanes * words)) {}

  /// Takes in the first `count` words of every lane. `data` holds [lanes, words]; its first byte is
  /// the low one, as x86-64 has it.
  void gather(const void* data, ptrdiff_t count) {
    const auto* from = static_cast<const std::byte*>(data);
    Int16Lanes* to = buses_.data();
    ptrdiff_t lane = 0;
    for (; lane + kLanes <= lanes_; lane += kLanes, to += words_) {
      // A constant, so that the compiler unrolls the loop over lanes.
      gather_lanes(from + lane * words_ * kBytes, std::integral_constant<ptrdiff_t, kLanes>{},
                   count, to);
    }
    gather_lanes(from + lane * words_ * kBytes, lanes_ - lane, count, to);
  }

  /// [words] of the lanes 16 * group and following. Lanes beyond the operand are 0.
  const Int16Lanes* words(ptrdiff_t group) const { return buses_.data() + group * words_; }

 private:
  static constexpr ptrdiff_t kBytes = sizeof(Word);

  template <class Count>
  void gather_lanes(const std::byte* from, Count lanes, ptrdiff_t count, Int16Lanes* to) {
    for (ptrdiff_t i = 0; i < count; ++i) {
      for (ptrdiff_t lane = 0; lane < lanes; ++lane) {
        Word word;
        std::memcpy(&word, from + (lane * words_ + i) * kBytes, sizeof word);
        to[i][lane] = static_cast<int16_t>(word);
      }
    }
  }

  ptrdiff_t lanes_;
  ptrdiff_t words_;
  LaneArray<Int16Lanes> buses_;
};

}  // namespace nibblecore::hw
