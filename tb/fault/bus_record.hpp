// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
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

  /// Whether a stuck bit would have differed from what the bus carried; of a flip, whether the bus
  /// carried anything in its cycle.
  bool exercises(const Fault& fault) const;
  /// Cycles in which this instance carried a value, in ascending order.
  const std::vector<int32_t>& cycles(hw::Site site, int64_t index) const;

 private:
  struct Instance {
    uint64_t ones = 0;   ///< bits that were 1 at some time
    uint64_t zeros = 0;  ///< bits that were 0 at some time
    std::vector<int32_t> cycles;
  };

  void note(hw::Site site, int64_t index, uint64_t word);
  const Instance* find(hw::Site site, int64_t index) const;

  std::array<std::vector<Instance>, hw::kSites> sites_;
  int64_t cycle_ = 0;
};

}  // namespace nibblecore::tb
