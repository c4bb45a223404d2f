// SPDX-License-Identifier: Apache-2.0
#include "hw/units/clocked_unit.hpp"

namespace nibblecore::hw {

ClockedUnit::ClockedUnit(const sc_core::sc_module_name& name) : sc_core::sc_module(name) {
  SC_METHOD(on_clock);
  sensitive << clock.pos();
  dont_initialize();
}

void ClockedUnit::on_clock() {
  if (reset_n.read()) {
    tick();
  } else {
    reset();
  }
}

}  // namespace nibblecore::hw
