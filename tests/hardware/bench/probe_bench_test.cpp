// SPDX-License-Identifier: Apache-2.0
// The core whose buses a probe sees against the one without: the same bits, the same cycles, in
// random configurations of every format and residual.
#include <algorithm>
#include <memory>
#include <random>
#include <set>
#include <string>

#include <gtest/gtest.h>

#include "model/machine/program_cycles.hpp"
#include "tb/bench/core_bench.hpp"
#include "tests/hardware/simulation_test.hpp"
#include "tests/hardware/support/random_gemm.hpp"
#include "tests/unit/machine/random_programs.hpp"

namespace nibblecore::tb {
namespace {

constexpr int kConfigurations = 60;

/// Notes every instance of every bus, and checks that all values fit the declared width.
class Observer final : public hw::Probe {
 public:
  void on_cycle(int64_t cycle) override {
    EXPECT_EQ(cycle, next_cycle_) << "each edge once, in order";
    next_cycle_ = cycle + 1;
  }
  void on_step(const hw::StepTag& tag) override { kinds.insert(tag.kind); }
  void on_block(const hw::BlockTag& /*tag*/) override { ++blocks; }

  void on_bus(hw::Site site, int64_t index, int32_t* lanes, int count) override {
    const bool wide = hw::site_record(site).bits == 32;
    for (int i = 0; i < count; ++i) {
      see(site, index + i, wide ? static_cast<uint32_t>(lanes[i]) : int64_t{lanes[i]});
    }
  }
  void on_wide_bus(hw::Site site, int64_t index, int64_t& value) override {
    see(site, index, value);
  }

  int64_t cycles() const { return next_cycle_; }

  std::set<std::pair<hw::Site, int64_t>> seen;
  std::set<StepKind> kinds;
  int64_t blocks = 0;

 private:
  void see(hw::Site site, int64_t index, int64_t value) {
    seen.insert({site, index});
    const hw::SiteRecord& record = hw::site_record(site);
    const bool is_signed = record.signedness == hw::Signedness::kSigned;
    const int64_t limit = int64_t{1} << (record.bits - (is_signed ? 1 : 0));
    ASSERT_LT(value, limit) << record.name;
    ASSERT_GE(value, is_signed ? -limit : 0) << record.name;
  }

  int64_t next_cycle_ = 0;
};

class ProbeBenchTest : public test::SimulationTest {
 protected:
  static hw::SiteExtents extents(const Program& program) {
    const CoreDescription& core = program.machine().core;
    return {core.rows,
            core.columns,
            core.depth,
            program.spec().format,
            program.blocks_a_beat(),
            2 * program.body(ChunkIndex{}).tiles(),
            program.spec().accumulation};
  }

  std::mt19937 random{77};
};

TEST_F(ProbeBenchTest, BothInstancesGiveTheSameBitsAndCycles) {
  for (int i = 0; i < kConfigurations; ++i) {
    RandomProgram configuration = random_program(random, {2, 4});
    Machine& machine = configuration.machine;
    machine.quantizer_latency =
        std::max(machine.quantizer_latency,
                 Program(machine, configuration.spec, configuration.tiling).cycles_a_beat());
    SCOPED_TRACE("configuration " + std::to_string(i) + ": " + configuration.text());
    const Program program = configuration.program();
    test::RandomGemm gemm(configuration.spec, preset(configuration.spec.format, ""), random);
    sc_core::sc_curr_simcontext = nullptr;
    Observer observer;
    ProbeBench bench("bench", machine, hw::SimdTarget::kBaseline, {}, hw::ProbeHooks(observer));
    const CycleReport probed = bench.run(program, gemm.gemm());
    ASSERT_EQ(gemm.result(), gemm.golden());
    EXPECT_TRUE(probed == program_cycles(program));
    EXPECT_GE(observer.cycles(), probed.total);
    EXPECT_EQ(observer.blocks, probed.quantized_blocks);
    for (const auto& [site, index] : observer.seen) {
      ASSERT_GE(index, 0);
      ASSERT_LT(index, hw::site_instances(site, extents(program))) << hw::site_record(site).name;
    }
    if (HasFailure()) {
      break;
    }
  }
}

}  // namespace
}  // namespace nibblecore::tb
