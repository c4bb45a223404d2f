// SPDX-License-Identifier: Apache-2.0
#include "tests/comparison/compare_policy.hpp"

#include <gtest/gtest.h>

namespace nibblecore::comparison {
namespace {

ComparisonPlan plan_of(Accumulation policy) {
  ComparisonPlan plan;
  plan.policy = policy;
  plan.outputs = 50000;
  return plan;
}

TEST(ComparePolicy, DoesNotDependOnThreads) {
  ComparisonPlan plan = plan_of(Accumulation::kBlackwell);
  plan.outputs = 200000;  // batches of ten GEMMs
  const Census one = compare_policy(plan);
  plan.threads = 3;
  const Census three = compare_policy(plan);
  EXPECT_GE(one.outputs, plan.outputs);
  EXPECT_EQ(one.outputs, three.outputs);
  EXPECT_EQ(one.k_sum, three.k_sum);
  EXPECT_EQ(one.of_target, three.of_target);
  EXPECT_EQ(one.nan, three.nan);
  EXPECT_EQ(one.subnormal, three.subnormal);
  EXPECT_EQ(one.alignment_losses, three.alignment_losses);
}

TEST(ComparePolicy, DrawsOthersUnderAnotherSeed) {
  ComparisonPlan plan = plan_of(Accumulation::kFp32Rne);
  const Census first = compare_policy(plan);
  plan.seed = 2;
  EXPECT_NE(first.k_sum, compare_policy(plan).k_sum);
}

TEST(ComparePolicy, FindsOneTurnedBitInItsCaseAlone) {
  ComparisonPlan plan = plan_of(Accumulation::kExact);
  plan.alteration = Alteration::kResult;
  EXPECT_EQ(compare_policy(plan).mismatches, 1);
  plan.only_case = 1;
  EXPECT_EQ(compare_policy(plan).mismatches, 1);
  plan.only_case = 2;
  EXPECT_EQ(compare_policy(plan).mismatches, 0);
}

TEST(ComparePolicy, FindsOneTurnedLoss) {
  ComparisonPlan plan = plan_of(Accumulation::kBlackwellMxf8f6f4);
  EXPECT_EQ(compare_policy(plan).mismatches, 0);
  plan.alteration = Alteration::kLoss;
  EXPECT_EQ(compare_policy(plan).mismatches, 1);
}

}  // namespace
}  // namespace nibblecore::comparison
