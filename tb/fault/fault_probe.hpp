// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "hw/datapath/hooks.hpp"
#include "tb/fault/fault.hpp"

namespace nibblecore::tb {

/// Puts one fault into a core. What it leaves on the bus has the declared width: bits above the
/// sign repeat it, as wires would.
class FaultProbe final : public hw::Probe {
 public:
  /// No fault until set() is called.
  FaultProbe() = default;
  explicit FaultProbe(const Fault& fault) { set(fault); }

  void set(const Fault& fault);
  void clear() { bits_ = 0; }

  /// Values that the fault has changed since set().
  int64_t changed() const { return changed_; }

  void on_cycle(int64_t cycle) override { armed_ = !flips_ || cycle == cycle_; }
  void on_bus(hw::Site site, int64_t index, int32_t* lanes, int count) override;
  void on_wide_bus(hw::Site site, int64_t index, int64_t& value) override;

 private:
  int64_t faulty(int64_t value);

  hw::Site site_{};
  int64_t index_ = 0;
  int bits_ = 0;  ///< of the bus; 0: no fault
  bool signed_ = false;
  uint64_t clear_ = 0;
  uint64_t set_ = 0;
  uint64_t invert_ = 0;
  bool flips_ = false;
  int64_t cycle_ = 0;
  bool armed_ = true;
  int64_t changed_ = 0;
};

}  // namespace nibblecore::tb
