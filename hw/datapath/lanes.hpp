// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <new>
#include <vector>

#include "hw/channel/lanes.hpp"

namespace nibblecore::hw {

/// A bus of 16 lanes: the compiler's vectors, which every target has (as two or four registers
/// where its own are narrower). They stand in local variables and LaneArrays and are passed by
/// reference only: what a target thinks of their alignment in structs, and of passing them by
/// value, differs.
using Int16Lanes [[gnu::vector_size(kLanes * sizeof(int16_t))]] = int16_t;
using Int32Lanes [[gnu::vector_size(kLanes * sizeof(int32_t))]] = int32_t;

/// Aligns buses by their size, as the widest target takes for granted.
template <class Lanes>
struct LaneAllocator {
  using value_type = Lanes;

  static Lanes* allocate(size_t count) {
    return static_cast<Lanes*>(::operator new(count * sizeof(Lanes), kAlignment));
  }
  static void deallocate(Lanes* lanes, size_t /*count*/) { ::operator delete(lanes, kAlignment); }

  friend bool operator==(const LaneAllocator& /*a*/, const LaneAllocator& /*b*/) { return true; }
  friend bool operator!=(const LaneAllocator& /*a*/, const LaneAllocator& /*b*/) { return false; }

 private:
  static constexpr std::align_val_t kAlignment{sizeof(Lanes)};
};

template <class Lanes>
using LaneArray = std::vector<Lanes, LaneAllocator<Lanes>>;

/// ORs the magnitude of every lane into `united`: a bus is as wide as the OR of its magnitudes.
template <class Lanes>
[[gnu::always_inline]] inline void unite_magnitudes(const Lanes& values, Lanes& united) {
  constexpr int kSignShift = 8 * sizeof(values[0]) - 1;
  const Lanes ones = values >> kSignShift;
  united |= (values ^ ones) - ones;
}

/// The OR of all lanes.
template <class Lanes>
[[gnu::always_inline]] inline uint32_t united_lanes(const Lanes& lanes) {
  uint32_t united = 0;
  for (int lane = 0; lane < kLanes; ++lane) {
    united |= static_cast<uint32_t>(lanes[lane]);
  }
  return united;
}

}  // namespace nibblecore::hw
