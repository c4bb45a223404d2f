// SPDX-License-Identifier: Apache-2.0
// The SystemC core against the golden reference in bits and against the cycle model in cycles, over
// random machines, shapes, formats, residuals and loop orders. The number of configurations is an
// environment variable, so that the slow checks can ask for more.
#include <algorithm>
#include <cstdlib>
#include <memory>
#include <random>
#include <string>

#include <gtest/gtest.h>

#include "model/machine/program_cycles.hpp"
#include "tb/bench/core_bench.hpp"
#include "tests/hardware/simulation_test.hpp"
#include "tests/hardware/support/random_gemm.hpp"
#include "tests/unit/machine/random_programs.hpp"

namespace nibblecore::tb {
namespace {

constexpr int kConfigurations = 300;

int configurations() {
  const char* asked = std::getenv("NIBBLECORE_CONFIGURATIONS");
  return asked == nullptr ? kConfigurations : std::stoi(asked);
}

class CoreModelTest : public test::SimulationTest {
 protected:
  static void check(const RandomProgram& configuration, std::mt19937& random) {
    sc_core::sc_curr_simcontext = nullptr;
    const Program program = configuration.program();
    test::RandomGemm gemm(configuration.spec, preset(configuration.spec.format, ""), random);
    CoreBench bench("bench", configuration.machine);
    const CycleReport measured = bench.run(program, gemm.gemm());
    const CycleReport modelled = program_cycles(program);
    ASSERT_EQ(gemm.result(), gemm.golden());
    EXPECT_EQ(measured.total, modelled.total);
    for (int unit = 0; unit < kUnits; ++unit) {
      const UnitCycles& found = measured.units.at(static_cast<size_t>(unit));
      const UnitCycles& expected = modelled.units.at(static_cast<size_t>(unit));
      EXPECT_EQ(found.busy, expected.busy) << name_of(static_cast<Unit>(unit));
      EXPECT_EQ(found.stalls, expected.stalls) << name_of(static_cast<Unit>(unit));
      EXPECT_EQ(found.idle, expected.idle) << name_of(static_cast<Unit>(unit));
    }
    EXPECT_TRUE(measured == modelled);
  }

  /// A quantizer whose blocks take longer to enter than to pass is no machine.
  static void mend_latency(RandomProgram& configuration) {
    Machine& machine = configuration.machine;
    machine.quantizer_latency =
        std::max(machine.quantizer_latency,
                 Program(machine, configuration.spec, configuration.tiling).cycles_a_beat());
  }
};

TEST_F(CoreModelTest, RandomConfigurationsAgreeInBitsAndCycles) {
  std::mt19937 random(2024);
  const int count = configurations();
  for (int i = 0; i < count; ++i) {
    RandomProgram configuration = random_program(random, {3, 6});
    mend_latency(configuration);
    SCOPED_TRACE("configuration " + std::to_string(i) + ": " + configuration.text());
    check(configuration, random);
    if (HasFailure()) {
      break;
    }
  }
}

}  // namespace
}  // namespace nibblecore::tb
