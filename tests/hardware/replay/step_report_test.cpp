// SPDX-License-Identifier: Apache-2.0
#include "tb/replay/step_report.hpp"

#include <random>

#include <gtest/gtest.h>

namespace nibblecore::tb {
namespace {

GemmRecord record(const std::string& phase, GemmKind kind, int64_t count) {
  GemmRecord one;
  one.phase = phase;
  one.kind = kind;
  one.count = count;
  return one;
}

/// `total` cycles of which the array works `array`, the port `port`.
Measures simulated(int64_t total, int64_t array, int64_t port) {
  Measures measures;
  measures.gemms = 1;
  measures.macs = 1000;
  measures.cycles.total = total;
  measures.cycles[Unit::kArray].busy = array;
  measures.cycles[Unit::kMemoryPort].busy = port;
  measures.bf16_cycles = 4 * array;
  measures.roofline_cycles = 2 * array;
  measures.bf16_roofline_cycles = 5 * array;
  measures.work[Work::kMxfp4DenseMacs] = 1000;
  return measures;
}

Measures listed(int64_t cycles) {
  Measures measures;
  measures.gemms = 1;
  measures.macs = 50;
  measures.unquantized_cycles = cycles;
  return measures;
}

TEST(PhaseGroup, LeavesOutTheNumberOfADecodeStep) {
  EXPECT_EQ(phase_group("rollout.decode17"), "rollout.decode");
  EXPECT_EQ(phase_group("rollout.decode"), "rollout.decode");
  EXPECT_EQ(phase_group("rollout.prefill"), "rollout.prefill");
  EXPECT_EQ(phase_group("train"), "train");
  EXPECT_EQ(phase_group("train.recompute"), "train.recompute");
  EXPECT_EQ(phase_group("7"), "7");
}

TEST(StepReport, GathersPhasesAndCountsEveryCall) {
  StepReport step;
  step.add(record("rollout.decode0", GemmKind::kFprop, 3), simulated(100, 20, 70));
  step.add(record("train", GemmKind::kDgrad, 1), simulated(50, 40, 10));
  step.add(record("rollout.decode1", GemmKind::kFprop, 1), listed(9));
  step.add(record("train", GemmKind::kWgrad, 2), simulated(30, 5, 5));
  ASSERT_EQ(step.phases().size(), 2U);
  const StepPart& decode = step.phases()[0];
  EXPECT_EQ(decode.name, "rollout.decode");
  EXPECT_EQ(decode.gemms, 4);
  EXPECT_EQ(decode.macs, 3050);
  EXPECT_EQ(decode.cycles.cycles, (std::array<int64_t, kBounds>{0, 210, 90, 9}));
  EXPECT_EQ(decode.bf16_cycles, 3 * 80 + 9);
  EXPECT_EQ(decode.roofline_cycles, 3 * 40);
  EXPECT_EQ(decode.bf16_roofline_cycles, 3 * 100);
  EXPECT_EQ(decode.cycles_by_kind, (std::array<int64_t, 3>{309, 0, 0}));
  EXPECT_EQ(decode.work[Work::kMxfp4DenseMacs], 3000);
  const StepPart& train = step.phases()[1];
  EXPECT_EQ(train.cycles.cycles, (std::array<int64_t, kBounds>{50, 0, 60, 0}));
  EXPECT_EQ(train.cycles.largest(), Bound::kFill);
  EXPECT_EQ(train.cycles_by_kind, (std::array<int64_t, 3>{0, 50, 60}));
  EXPECT_EQ(step.all().cycles.total(), 309 + 110);
}

TEST(StepReport, SumsOfThePhasesAreTheWhole) {
  std::mt19937 random(90);
  StepReport step;
  for (int i = 0; i < 200; ++i) {
    const int64_t array = random() % 100;
    const int64_t port = random() % 100;
    const std::string phase = "phase" + std::string(1, static_cast<char>('a' + random() % 5));
    const auto kind = static_cast<GemmKind>(random() % 3);
    const auto count = static_cast<int64_t>(1 + random() % 9);
    step.add(record(phase, kind, count),
             random() % 4 == 0 ? listed(array) : simulated(array + port, array, port));
  }
  StepPart sum;
  for (const StepPart& phase : step.phases()) {
    sum.gemms += phase.gemms;
    sum.macs += phase.macs;
    sum.cycles.add(phase.cycles, 1);
    sum.bf16_cycles += phase.bf16_cycles;
    sum.roofline_cycles += phase.roofline_cycles;
    sum.bf16_roofline_cycles += phase.bf16_roofline_cycles;
    for (size_t kind = 0; kind < sum.cycles_by_kind.size(); ++kind) {
      sum.cycles_by_kind[kind] += phase.cycles_by_kind[kind];
    }
    sum.units.add(phase.units, 1);
    sum.work.add(phase.work, 1);
  }
  const StepPart& all = step.all();
  EXPECT_EQ(step.phases().size(), 5U);
  EXPECT_EQ(all.gemms, sum.gemms);
  EXPECT_EQ(all.macs, sum.macs);
  EXPECT_EQ(all.cycles.cycles, sum.cycles.cycles);
  EXPECT_EQ(all.bf16_cycles, sum.bf16_cycles);
  EXPECT_EQ(all.roofline_cycles, sum.roofline_cycles);
  EXPECT_EQ(all.bf16_roofline_cycles, sum.bf16_roofline_cycles);
  EXPECT_EQ(all.cycles_by_kind, sum.cycles_by_kind);
  EXPECT_EQ(all.cycles.total(),
            sum.cycles_by_kind[0] + sum.cycles_by_kind[1] + sum.cycles_by_kind[2]);
  EXPECT_EQ(all.units, sum.units);
  EXPECT_EQ(all.work, sum.work);
}

TEST(StepReport, CountsRanks) {
  StepReport step;
  EXPECT_EQ(step.ranks(), 1);
  GemmRecord one = record("train", GemmKind::kFprop, 1);
  step.add(one, listed(1));
  EXPECT_EQ(step.ranks(), 1);
  for (const int64_t rank : {3, 0, 3}) {
    one.rank = rank;
    step.add(one, listed(1));
  }
  EXPECT_EQ(step.ranks(), 2);
}

}  // namespace
}  // namespace nibblecore::tb
