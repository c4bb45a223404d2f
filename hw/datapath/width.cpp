// SPDX-License-Identifier: Apache-2.0
#include "hw/datapath/width.hpp"

#include <string>

#include "model/common/error.hpp"

namespace nibblecore::hw {

void WidthMonitor::raise() const {
  throw InternalError(std::string("a value ") + kWidthExceeded + " " +
                      std::to_string(bus_.magnitude_bits) + " bits and sign of bus '" + bus_.name +
                      "'");
}

}  // namespace nibblecore::hw
