// SPDX-License-Identifier: Apache-2.0
#include "model/machine/machine_field.hpp"
#include "model/machine/machine_file.hpp"
#include "tests/fuzz/readers.hpp"

namespace nibblecore {

Verdict fuzz_machine(std::string_view bytes) {
  MachineFile file{};
  if (!accepts([&] { file = parse_machine(bytes, "machine"); })) {
    return Verdict::kRefused;
  }
  require_valid(file.machine);
  require(file.fields.size() == machine_fields().size(), "every field is there");
  for (size_t i = 0; i < file.fields.size(); ++i) {
    const MachineField& field = file.fields[i];
    require(field.name == machine_fields()[i].name, "fields are in their order");
    require(!range_fault(machine_fields()[i], field.value), field.name + " is in range");
    // The machine holds its bandwidth as that of one core, in a cycle.
    require(field.name == "memory_bytes_per_second" ||
                machine_fields()[i].get(file.machine) == field.value,
            field.name + " is the machine's");
  }
  return Verdict::kAccepted;
}

}  // namespace nibblecore
