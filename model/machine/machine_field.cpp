// SPDX-License-Identifier: Apache-2.0
#include "model/machine/machine_field.hpp"

#include <limits>
#include <type_traits>

#include "model/common/checked.hpp"
#include "model/formats/block_format.hpp"

namespace nibblecore {
namespace {

constexpr int64_t kMostOf64Bits = std::numeric_limits<int64_t>::max();
// What the simulated core keeps in arrays stays allocatable, sums of latencies stay in 64 bits.
constexpr int64_t kMostOfShape = 4096;
constexpr int64_t kMostLatency = std::numeric_limits<int32_t>::max();
constexpr int64_t kMostSize = int64_t{1} << 40;

template <auto kMember>
constexpr MachineFieldRecord number(std::string_view name, int64_t least, int64_t most) {
  return {name, least, most, [](const Machine& machine) { return int64_t{machine.*kMember}; },
          [](Machine& machine, int64_t value) {
            using Value = std::remove_reference_t<decltype(machine.*kMember)>;
            machine.*kMember = static_cast<Value>(value);
          }};
}

template <auto kMember>
constexpr MachineFieldRecord shape(std::string_view name) {
  return {name, 1, kMostOfShape,
          [](const Machine& machine) { return int64_t{machine.core.*kMember}; },
          [](Machine& machine, int64_t value) { machine.core.*kMember = static_cast<int>(value); }};
}

// A rate without cycles counts as out of range.
template <auto kMember>
constexpr MachineFieldRecord rate(std::string_view name, int64_t most) {
  return {name, 1, most,
          [](const Machine& machine) {
            const Rate& value = machine.*kMember;
            return value.cycles < 1 ? value.cycles : value.bytes;
          },
          [](Machine& machine, int64_t value) {
            machine.*kMember = {value, 1};
          }};
}

constexpr std::array<MachineFieldRecord, kMachineFieldCount> kFields{
    number<&Machine::cores>("cores", 1, std::numeric_limits<int32_t>::max()),
    number<&Machine::clock_hertz>("clock_hertz", 1, kMostOf64Bits),
    shape<&CoreDescription::rows>("rows"),
    shape<&CoreDescription::columns>("columns"),
    shape<&CoreDescription::depth>("depth"),
    number<&Machine::accumulate_latency>("accumulate_latency", 1, kMostLatency),
    number<&Machine::l1_bytes>("l1_bytes", 1, kMostSize),
    number<&Machine::l0a_bytes>("l0a_bytes", 1, kMostSize),
    number<&Machine::l0b_bytes>("l0b_bytes", 1, kMostSize),
    number<&Machine::l0c_bytes>("l0c_bytes", 1, kMostSize),
    rate<&Machine::memory>("memory_bytes_per_second", kMostOf64Bits),
    number<&Machine::memory_latency>("memory_latency", 0, kMostLatency),
    rate<&Machine::l1_to_l0a>("l1_to_l0a_bytes_per_cycle", kMostSize),
    rate<&Machine::l1_to_l0b>("l1_to_l0b_bytes_per_cycle", kMostSize),
    number<&Machine::l1_latency>("l1_latency", 0, kMostLatency),
    number<&Machine::quantizer_values_per_cycle>("quantizer_values_per_cycle", 1, kMostSize),
    number<&Machine::quantizer_latency>("quantizer_latency", 0, kMostLatency),
    number<&Machine::residual_latency>("residual_latency", 0, kMostLatency),
    number<&Machine::bf16_macs_per_cycle>("bf16_macs_per_cycle", 1, kMostSize),
};

}  // namespace

const std::array<MachineFieldRecord, kMachineFieldCount>& machine_fields() { return kFields; }

std::optional<std::string> range_fault(const MachineFieldRecord& field, int64_t value) {
  if (value < field.least) {
    return "is " + std::to_string(value) + ", below the least, " + std::to_string(field.least);
  }
  if (value > field.most) {
    return "is " + std::to_string(value) + ", above the most, " + std::to_string(field.most);
  }
  return std::nullopt;
}

std::optional<MachineFault> find_fault(const Machine& machine) {
  for (const MachineFieldRecord& field : kFields) {
    if (const std::optional<std::string> fault = range_fault(field, field.get(machine))) {
      return MachineFault{field.name, *fault};
    }
  }
  if (machine.core.depth % kNvfp4.block != 0) {
    return MachineFault{"depth", "is " + std::to_string(machine.core.depth) +
                                     ", not a multiple of " + std::to_string(kNvfp4.block) +
                                     ", the shortest block"};
  }
  // The longest block enters whole before its packed form leaves.
  const int64_t entry = ceil_divide(kHif4.block, machine.quantizer_values_per_cycle);
  if (machine.quantizer_latency < entry) {
    return MachineFault{"quantizer_latency",
                        "is " + std::to_string(machine.quantizer_latency) + ", below the " +
                            std::to_string(entry) + " cycles in which a block of " +
                            std::to_string(kHif4.block) + " enters at " +
                            std::to_string(machine.quantizer_values_per_cycle) + " values a cycle"};
  }
  return std::nullopt;
}

}  // namespace nibblecore
