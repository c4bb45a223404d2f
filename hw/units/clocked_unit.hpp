// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <systemc>

namespace nibblecore::hw {

/// A unit with one process: tick() at every rising clock edge, reset() instead while `reset_n` is
/// low (synchronous, active low).
class ClockedUnit : public sc_core::sc_module {
 public:
  sc_core::sc_in<bool> clock{"clock"};
  sc_core::sc_in<bool> reset_n{"reset_n"};

  ClockedUnit(const ClockedUnit&) = delete;
  ClockedUnit& operator=(const ClockedUnit&) = delete;

 protected:
  SC_HAS_PROCESS(ClockedUnit);

  explicit ClockedUnit(const sc_core::sc_module_name& name);

  virtual void tick() = 0;
  virtual void reset() = 0;

 private:
  void on_clock();
};

}  // namespace nibblecore::hw
