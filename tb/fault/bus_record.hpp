// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "hw/datapath/hooks.hpp"
#include "tb/fault/fault.hpp"

namespace nibblecore::tb {

/// Notes which values every bit of every bus had during a run, and in which cycles each instance of
/// a bus carried any.
class BusRecord final : public hw::Probe {
 public:
  void on_cycle(int64_t cycle) override { cycle_ = cycle; }
  void on_bus(hw::Site site, int64_t index, int32_t* lanes, int count) override;
  void on_wide_bus(hw::Site site, int64_t index, int64_t& value) override;

  /// Whether the bit had the other value than the one it would be stuck at.
  bool exercises(const Fault& stuck) const;
  /// Whether this instance carried a value at all.
  bool carries(hw::Site site, int64_t index) const;
  /// Cycles in which it did, in ascending order.
  std::vector<int64_t> cycles(hw::Site site, int64_t index) const;

 private:
  /// A cycle behind an earlier one. Instances that carry values in the same cycles share a chain.
  struct Time {
    size_t before;
    int64_t cycle;
  };

  struct Instance {
    uint64_t ones = 0;   ///< bits that were 1 at some time
    uint64_t zeros = 0;  ///< bits that were 0 at some time
    size_t latest = 0;   ///< among times_
  };

  void note(hw::Site site, int64_t index, uint64_t word);
  size_t time_behind(size_t before);
  const Instance* find(hw::Site site, int64_t index) const;

  std::array<std::vector<Instance>, hw::kSites> sites_;
  std::vector<Time> times_{{0, -1}};  ///< the first one: never
  std::map<std::pair<size_t, int64_t>, size_t> behind_;
  int64_t cycle_ = 0;
};

}  // namespace nibblecore::tb
