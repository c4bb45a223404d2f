// SPDX-License-Identifier: Apache-2.0
#include "model/machine/machine_field.hpp"

#include <limits>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace nibblecore {
namespace {

using testing::AllOf;
using testing::HasSubstr;

Machine machine_of_distinct_values() {
  Machine machine{};
  int64_t value = 1000;
  for (const MachineFieldRecord& field : machine_fields()) {
    field.set(machine, value++);
  }
  return machine;
}

TEST(MachineFields, EveryNameNamesItsOwnMember) {
  std::set<std::string_view> names;
  const Machine machine = machine_of_distinct_values();
  int64_t value = 1000;
  for (const MachineFieldRecord& field : machine_fields()) {
    EXPECT_TRUE(names.insert(field.name).second) << field.name;
    EXPECT_EQ(field.get(machine), value++) << field.name;
  }
}

TEST(MachineFields, NamesMeanTheMembersTheyAreCalledAfter) {
  const auto value_of = [](std::string_view name) {
    const Machine machine = machine_of_distinct_values();
    for (const MachineFieldRecord& field : machine_fields()) {
      if (field.name == name) {
        return field.get(machine);
      }
    }
    return int64_t{-1};
  };
  const Machine machine = machine_of_distinct_values();
  EXPECT_EQ(value_of("cores"), machine.cores);
  EXPECT_EQ(value_of("clock_hertz"), machine.clock_hertz);
  EXPECT_EQ(value_of("rows"), machine.core.rows);
  EXPECT_EQ(value_of("columns"), machine.core.columns);
  EXPECT_EQ(value_of("depth"), machine.core.depth);
  EXPECT_EQ(value_of("accumulate_latency"), machine.accumulate_latency);
  EXPECT_EQ(value_of("l1_bytes"), machine.l1_bytes);
  EXPECT_EQ(value_of("l0a_bytes"), machine.l0a_bytes);
  EXPECT_EQ(value_of("l0b_bytes"), machine.l0b_bytes);
  EXPECT_EQ(value_of("l0c_bytes"), machine.l0c_bytes);
  EXPECT_EQ(value_of("memory_bytes_per_second"), machine.memory.bytes);
  EXPECT_EQ(value_of("memory_latency"), machine.memory_latency);
  EXPECT_EQ(value_of("l1_to_l0a_bytes_per_cycle"), machine.l1_to_l0a.bytes);
  EXPECT_EQ(value_of("l1_to_l0b_bytes_per_cycle"), machine.l1_to_l0b.bytes);
  EXPECT_EQ(value_of("l1_latency"), machine.l1_latency);
  EXPECT_EQ(value_of("quantizer_values_per_cycle"), machine.quantizer_values_per_cycle);
  EXPECT_EQ(value_of("quantizer_latency"), machine.quantizer_latency);
  EXPECT_EQ(value_of("residual_latency"), machine.residual_latency);
  EXPECT_EQ(value_of("bf16_macs_per_cycle"), machine.bf16_macs_per_cycle);
  EXPECT_EQ(machine.l1_to_l0a.cycles, 1);
}

TEST(RangeFault, LimitsBelongToTheRange) {
  for (const MachineFieldRecord& field : machine_fields()) {
    EXPECT_EQ(range_fault(field, field.least), std::nullopt) << field.name;
    EXPECT_EQ(range_fault(field, field.most), std::nullopt) << field.name;
    EXPECT_THAT(range_fault(field, field.least - 1).value_or(""), HasSubstr("below the least"))
        << field.name;
    if (field.most < std::numeric_limits<int64_t>::max()) {
      EXPECT_THAT(range_fault(field, field.most + 1).value_or(""),
                  AllOf(HasSubstr(std::to_string(field.most + 1)), HasSubstr("above the most")))
          << field.name;
    }
  }
}

TEST(RangeFault, OnlyLatenciesOutsideTheArrayMayBeZero) {
  const std::set<std::string_view> may_be_zero{"memory_latency", "l1_latency", "quantizer_latency",
                                               "residual_latency"};
  for (const MachineFieldRecord& field : machine_fields()) {
    EXPECT_EQ(field.least, may_be_zero.count(field.name) != 0 ? 0 : 1) << field.name;
  }
}

// Every limit fits the member it is set to: setting it and getting it back changes nothing.
TEST(RangeFault, LimitsFitTheirMembers) {
  for (const MachineFieldRecord& field : machine_fields()) {
    Machine machine{};
    field.set(machine, field.most);
    EXPECT_EQ(field.get(machine), field.most) << field.name;
  }
}

}  // namespace
}  // namespace nibblecore
