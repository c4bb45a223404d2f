// SPDX-License-Identifier: Apache-2.0
#include "tb/replay/plan_cache.hpp"

#include <algorithm>

#include <gtest/gtest.h>

#include "model/common/error.hpp"
#include "tests/unit/machine/random_programs.hpp"

namespace nibblecore::tb {
namespace {

Machine machine_of(int cores) {
  Machine machine = round_machine();
  machine.cores = cores;
  return machine;
}

TEST(PlanCache, EqualGemmsShareAPlan) {
  const Machine machine = machine_of(4);
  const TilingChoice choice;
  PlanCache cache(machine, choice, Partitions::kKept);
  const GemmSpec spec{100, 200, 300, kMxfp4};
  GemmSpec other = spec;
  other.output = OutputWidth::kBf16;
  const size_t first = cache.add(spec);
  EXPECT_NE(cache.add(other), first);
  EXPECT_EQ(cache.add(spec), first);
  EXPECT_EQ(cache.size(), 2U);
  cache.plan(1);
  EXPECT_EQ(cache.at(first), cache.at(cache.add(spec)));
  const Partition expected = choose_partition(machine, spec);
  const GemmPlan& plan = *cache.at(first);
  EXPECT_EQ(plan.slowest.total, expected.makespan);
  ASSERT_TRUE(plan.partition);
  EXPECT_EQ(plan.partition->cores_m, expected.cores_m);
  EXPECT_EQ(plan.work, work_counts(expected));
  EXPECT_EQ(plan.steps, 7 * 13 * 5);
}

// A field that the comparison forgets would give the second GEMM the first one's plan.
TEST(PlanCache, EveryFieldTellsGemmsApart) {
  const Machine machine = machine_of(1);
  const TilingChoice choice;
  PlanCache cache(machine, choice, Partitions::kDropped);
  GemmSpec base{16, 16, 256, kMxfp4, OperandPath::kOnlineBf16};
  base.residual = ResidualPattern::kTwoOfFour;
  std::vector<GemmSpec> specs(18, base);
  specs[1].m = 17;
  specs[2].n = 17;
  specs[3].k = 257;
  specs[4].format = kHif4;
  specs[5].a = OperandPath::kOnlineFp32;
  specs[6].b = OperandPath::kOnlineBf16;
  specs[7].residual = ResidualPattern::kDense;
  specs[8].residual_build = ResidualBuild::kParallel;
  specs[9].residual_order = ResidualOrder::kAppended;
  specs[10].residual_accumulator = ResidualAccumulator::kOwn;
  specs[11].macro_length = 128;
  specs[12].a_has_factors = true;
  specs[13].b_has_factors = true;
  specs[14].macro_epilogue = MacroEpilogue::kSeparate;
  specs[15].start = Start::kFromMemory;
  specs[16].output = OutputWidth::kBf16;
  specs[17].accumulation = Accumulation::kBlackwell;
  for (size_t i = 0; i < specs.size(); ++i) {
    EXPECT_EQ(cache.add(specs[i]), i);
  }
  for (size_t i = 0; i < specs.size(); ++i) {
    EXPECT_EQ(cache.add(specs[i]), i);
  }
}

TEST(PlanCache, ThreadsChangeNothing) {
  const Machine machine = machine_of(12);
  const TilingChoice choice;
  std::vector<GemmSpec> specs;
  for (int64_t m = 1; m < 200; m += 13) {
    specs.push_back({m, 300, 500, kHif4, OperandPath::kOnlineBf16});
  }
  PlanCache one(machine, choice, Partitions::kDropped);
  PlanCache three(machine, choice, Partitions::kDropped);
  for (const GemmSpec& spec : specs) {
    one.add(spec);
    three.add(spec);
  }
  one.plan(1);
  three.plan(3);
  for (size_t i = 0; i < specs.size(); ++i) {
    EXPECT_EQ(one.at(i)->slowest, three.at(i)->slowest);
    EXPECT_EQ(one.at(i)->work, three.at(i)->work);
    EXPECT_EQ(one.at(i)->steps, three.at(i)->steps);
    EXPECT_FALSE(one.at(i)->partition);
  }
}

TEST(PlanCache, AMistakeIsToldWhereItsGemmIsAskedFor) {
  const Machine machine = machine_of(1);
  const TilingChoice choice;
  PlanCache cache(machine, choice, Partitions::kDropped);
  const size_t good = cache.add({16, 16, 64, kMxfp4});
  GemmSpec bad{16, 16, 64, kMxfp4};
  bad.residual = ResidualPattern::kDense;  // of a packed operand
  const size_t refused = cache.add(bad);
  EXPECT_THROW(cache.at(good), InternalError);  // before it was planned
  cache.plan(2);
  EXPECT_NO_THROW(cache.at(good));
  EXPECT_THROW(cache.at(refused), InputError);
}

}  // namespace
}  // namespace nibblecore::tb
