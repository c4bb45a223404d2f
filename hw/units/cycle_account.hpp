// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/machine/cycle_report.hpp"

namespace nibblecore::hw {

/// Counts a unit's cycles as they pass, each for one cause.
class CycleAccount {
 public:
  void clear() { cycles_ = UnitCycles{}; }
  void busy() { ++cycles_.busy; }
  void stall(StallCause cause) { ++cycles_.stalls[static_cast<size_t>(cause)]; }
  void idle() { ++cycles_.idle; }

  const UnitCycles& cycles() const { return cycles_; }

 private:
  UnitCycles cycles_;
};

}  // namespace nibblecore::hw
