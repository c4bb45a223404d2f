// SPDX-License-Identifier: Apache-2.0
#include "model/formats/residual.hpp"

#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/input_error.hpp"

namespace nibblecore {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;

TEST(Residual, NamesOfTheCommandLine) {
  EXPECT_EQ(residual_pattern("none"), ResidualPattern::kNone);
  EXPECT_EQ(residual_pattern("2:4"), ResidualPattern::kTwoOfFour);
  EXPECT_EQ(residual_pattern("dense"), ResidualPattern::kDense);
  EXPECT_EQ(residual_pattern("channel-50"), ResidualPattern::kChannel50);
  EXPECT_EQ(residual_pattern("block-32x64-50"), ResidualPattern::kBlock32x64At50);
  EXPECT_EQ(residual_build("serial"), ResidualBuild::kSerial);
  EXPECT_EQ(residual_build("parallel"), ResidualBuild::kParallel);
  EXPECT_EQ(residual_order("interleaved"), ResidualOrder::kInterleaved);
  EXPECT_EQ(residual_order("appended"), ResidualOrder::kAppended);
  EXPECT_EQ(residual_scope("rollout"), ResidualScope::kRollout);
  EXPECT_EQ(residual_scope("fprop"), ResidualScope::kFprop);
  EXPECT_EQ(residual_scope("all"), ResidualScope::kAll);
}

TEST(Residual, NamesGoBothWays) {
  for (const auto& record : kResidualPatterns) {
    EXPECT_EQ(name_of(residual_pattern(record.name)), record.name);
  }
  for (const auto& record : kResidualBuilds) {
    EXPECT_EQ(name_of(residual_build(record.name)), record.name);
  }
  for (const auto& record : kResidualOrders) {
    EXPECT_EQ(name_of(residual_order(record.name)), record.name);
  }
  for (const auto& record : kResidualScopes) {
    EXPECT_EQ(name_of(residual_scope(record.name)), record.name);
  }
}

TEST(Residual, UnknownNamesAreErrorsThatListTheKnownOnes) {
  EXPECT_THAT(input_error([] { residual_pattern("4:2"); }),
              AllOf(StartsWith("--residual:"), HasSubstr("'4:2'"),
                    HasSubstr("none, 2:4, dense, channel-50, block-32x64-50")));
  EXPECT_THAT(input_error([] { residual_build(""); }),
              AllOf(StartsWith("--residual-build:"), HasSubstr("serial, parallel")));
  EXPECT_THAT(input_error([] { residual_order("Appended"); }),
              AllOf(StartsWith("--residual-order:"), HasSubstr("interleaved, appended")));
  EXPECT_THAT(input_error([] { residual_scope("rollout.prefill"); }),
              AllOf(StartsWith("--residual-scope:"), HasSubstr("rollout, fprop, all")));
}

TEST(Residual, Granule) {
  for (const int64_t k : {1, 64, 1000}) {
    EXPECT_EQ(residual_granule(ResidualBuild::kParallel, ResidualOrder::kInterleaved, k), 64);
    EXPECT_EQ(residual_granule(ResidualBuild::kSerial, ResidualOrder::kInterleaved, k), 128);
    EXPECT_EQ(residual_granule(ResidualBuild::kParallel, ResidualOrder::kAppended, k), k);
    EXPECT_EQ(residual_granule(ResidualBuild::kSerial, ResidualOrder::kAppended, k), k);
  }
}

}  // namespace
}  // namespace nibblecore
