// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "model/machine/confidence.hpp"
#include "model/machine/machine.hpp"

namespace nibblecore {

/// One number of a machine file, as written, with where it is from.
struct MachineField {
  std::string name;
  int64_t value;
  Confidence confidence;
  std::string source;
};

/// A machine with the provenance of its figures (docs/machines.md describes the file).
struct MachineFile {
  Machine machine;
  std::string description;
  std::vector<std::string> notes;    ///< caveats to print with results
  std::vector<MachineField> fields;  ///< every field, in the order of machine_fields()
};

/// Reads a machine file's text. InputError naming `place`, the offset or field, and the reason:
/// malformed JSON, a field that is missing, unknown, twice there, of a wrong type or out of range,
/// no source, an unknown mark of confidence.
MachineFile parse_machine(std::string_view text, const std::string& place);

/// The machines that come with the program, the default one first.
const std::vector<MachineFile>& built_in_machines();

/// The built-in machine of this name, else the machine file at this path; InputError naming the
/// built-in ones where it is neither.
MachineFile load_machine(std::string_view name_or_path);

}  // namespace nibblecore
