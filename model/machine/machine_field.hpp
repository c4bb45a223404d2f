// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "model/machine/machine.hpp"

namespace nibblecore {

/// One number of a machine: its name in machine files and messages, its range, its place in
/// Machine.
struct MachineFieldRecord {
  std::string_view name;
  int64_t least;
  int64_t most;
  int64_t (*get)(const Machine& machine);
  /// Takes values in range. Sets a rate to `value` bytes in one cycle: that of the memory, in bytes
  /// a second of all cores, becomes the rate of one core only by cores and clock.
  void (*set)(Machine& machine, int64_t value);
};

inline constexpr int kMachineFieldCount = 19;

/// Every number of a machine, in the order of machine files.
const std::array<MachineFieldRecord, kMachineFieldCount>& machine_fields();

/// Why `value` is out of the field's range; nothing where it is inside.
std::optional<std::string> range_fault(const MachineFieldRecord& field, int64_t value);

/// A field that keeps a machine from being built, and why.
struct MachineFault {
  std::string_view field;
  std::string reason;
};

/// The first fault of a machine; nothing where it has none.
std::optional<MachineFault> find_fault(const Machine& machine);

}  // namespace nibblecore
