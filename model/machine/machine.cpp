// SPDX-License-Identifier: Apache-2.0
#include "model/machine/machine.hpp"

#include "model/common/error.hpp"
#include "model/machine/machine_field.hpp"

namespace nibblecore {

void require_valid(const Machine& machine) {
  if (const std::optional<MachineFault> fault = find_fault(machine)) {
    throw InputError("machine " + machine.name + ", field \"" + std::string(fault->field) + "\"",
                     fault->reason);
  }
}

}  // namespace nibblecore
