// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include <systemc>

#include "hw/units/clocked_unit.hpp"

namespace nibblecore::test {

/// Clock and reset around units that are tested alone. Cycle t is the clock edge at t ns; reset is
/// not active from the first edge on.
class Clocking {
 public:
  Clocking() { reset_n_.write(true); }

  void bind(hw::ClockedUnit& unit) {
    unit.clock(clock_);
    unit.reset_n(reset_n_);
  }

  /// Lets the next `cycles` edges pass.
  void run(int64_t cycles) { sc_core::sc_start(static_cast<double>(cycles) * cycle()); }

  /// Holds reset for this many edges.
  void reset(int64_t cycles) {
    reset_n_.write(false);
    run(cycles);
    reset_n_.write(true);
  }

  static sc_core::sc_time cycle() { return {1, sc_core::SC_NS}; }

 private:
  sc_core::sc_clock clock_{"clock", cycle()};
  sc_core::sc_signal<bool> reset_n_{"reset_n"};
};

}  // namespace nibblecore::test
