// SPDX-License-Identifier: Apache-2.0
#include "model/machine/machine.hpp"

#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model/common/error.hpp"
#include "model/machine/machine_file.hpp"

namespace nibblecore {
namespace {

using testing::HasSubstr;
using testing::StartsWith;
using testing::ThrowsMessage;

Machine valid_machine() { return built_in_machines().front().machine; }

struct BadMachine {
  const char* field;
  void (*spoil)(Machine& machine);
};

const std::vector<BadMachine>& bad_machines() {
  static const std::vector<BadMachine> machines{
      {"cores", [](Machine& machine) { machine.cores = 0; }},
      {"clock_hertz", [](Machine& machine) { machine.clock_hertz = 0; }},
      {"rows", [](Machine& machine) { machine.core.rows = 0; }},
      {"rows", [](Machine& machine) { machine.core.rows = 4097; }},
      {"columns", [](Machine& machine) { machine.core.columns = -16; }},
      {"depth", [](Machine& machine) { machine.core.depth = 0; }},
      {"depth", [](Machine& machine) { machine.core.depth = 65; }},
      {"depth", [](Machine& machine) { machine.core.depth = 56; }},
      {"accumulate_latency", [](Machine& machine) { machine.accumulate_latency = 0; }},
      {"l1_bytes", [](Machine& machine) { machine.l1_bytes = 0; }},
      {"l0a_bytes", [](Machine& machine) { machine.l0a_bytes = 0; }},
      {"l0b_bytes", [](Machine& machine) { machine.l0b_bytes = 0; }},
      {"l0c_bytes", [](Machine& machine) { machine.l0c_bytes = 0; }},
      {"memory_bytes_per_second", [](Machine& machine) { machine.memory.bytes = 0; }},
      {"memory_bytes_per_second", [](Machine& machine) { machine.memory.cycles = 0; }},
      {"memory_latency", [](Machine& machine) { machine.memory_latency = -1; }},
      {"l1_to_l0a_bytes_per_cycle", [](Machine& machine) { machine.l1_to_l0a.bytes = -256; }},
      {"l1_to_l0a_bytes_per_cycle", [](Machine& machine) { machine.l1_to_l0a.cycles = -1; }},
      {"l1_to_l0b_bytes_per_cycle", [](Machine& machine) { machine.l1_to_l0b.bytes = 0; }},
      {"l1_latency", [](Machine& machine) { machine.l1_latency = -1; }},
      {"quantizer_values_per_cycle",
       [](Machine& machine) { machine.quantizer_values_per_cycle = 0; }},
      {"quantizer_latency", [](Machine& machine) { machine.quantizer_latency = -1; }},
      {"quantizer_latency", [](Machine& machine) { machine.quantizer_latency = 0; }},
      {"residual_latency", [](Machine& machine) { machine.residual_latency = -1; }},
      {"bf16_macs_per_cycle", [](Machine& machine) { machine.bf16_macs_per_cycle = 0; }},
  };
  return machines;
}

TEST(RequireValid, NamesTheMachineAndTheFieldThatIsNotUsable) {
  for (const BadMachine& bad : bad_machines()) {
    Machine machine = valid_machine();
    machine.name = "mine";
    bad.spoil(machine);
    EXPECT_THAT([&] { require_valid(machine); },
                ThrowsMessage<InputError>(
                    StartsWith("machine mine, field \"" + std::string(bad.field) + "\": is ")));
  }
}

TEST(RequireValid, AcceptsTheLeastOfEverything) {
  const Machine least{"least", 1, 1,      {1, 1, 16}, 1, 1, 1,  1, 1,
                      {1, 1},  0, {1, 1}, {1, 1},     0, 1, 64, 0, 1};
  EXPECT_NO_THROW(require_valid(least));
}

// A HiF4 block of 64 has to enter before it can leave.
TEST(RequireValid, QuantizerLatencyHoldsTheEntryOfABlock) {
  struct Case {
    int64_t values_per_cycle;
    int64_t least_latency;
  };
  for (const Case& sample : {Case{1, 64}, Case{16, 4}, Case{21, 4}, Case{22, 3}, Case{63, 2},
                             Case{64, 1}, Case{256, 1}}) {
    Machine machine = valid_machine();
    machine.quantizer_values_per_cycle = sample.values_per_cycle;
    machine.quantizer_latency = sample.least_latency;
    EXPECT_NO_THROW(require_valid(machine)) << sample.values_per_cycle;
    machine.quantizer_latency = sample.least_latency - 1;
    EXPECT_THAT(
        [&] { require_valid(machine); },
        ThrowsMessage<InputError>(testing::AllOf(
            HasSubstr("field \"quantizer_latency\""),
            HasSubstr("below the " + std::to_string(sample.least_latency) + " cycles in which"))));
  }
}

}  // namespace
}  // namespace nibblecore
