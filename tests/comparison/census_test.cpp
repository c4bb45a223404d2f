// SPDX-License-Identifier: Apache-2.0
#include "tests/comparison/census.hpp"

#include <gmock/gmock.h>

namespace nibblecore::comparison {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

/// Of every kind of result as many as `each`, and others up to 10^6, on all targets alike.
Census census_of(int64_t each) {
  Census census;
  census.outputs = 1000000;
  census.of_target.fill(200000);
  census.in_bf16 = 100000;
  census.nan = census.infinite = census.subnormal = each;
  census.plus_zero = census.minus_zero = each;
  census.alignment_losses = census.result_losses = each;
  return census;
}

TEST(Census, CountsKindsOfResults) {
  Census census;
  for (const uint32_t bits : {0U, 0x80000000U, 1U, 0x807FFFFFU, 0x00800000U, 0x7F7FFFFFU,
                              0x7F800000U, 0xFF800000U, 0x7F800001U, 0x7FFFFFFFU, 0xFFC00000U}) {
    census.count(bits, 0);
  }
  census.count(0x3F800000, kAlignmentLoss);
  census.count(0x3F800000, kResultLoss);
  census.count(0x3F800000, kAlignmentLoss | kResultLoss);
  EXPECT_EQ(census.outputs, 14);
  EXPECT_EQ(census.plus_zero, 1);
  EXPECT_EQ(census.minus_zero, 1);
  EXPECT_EQ(census.subnormal, 2);
  EXPECT_EQ(census.infinite, 2);
  EXPECT_EQ(census.nan, 3);
  EXPECT_EQ(census.alignment_losses, 2);
  EXPECT_EQ(census.result_losses, 2);
}

TEST(Census, MissesNothingWhereAllKindsOccur) {
  EXPECT_THAT(census_of(50).missing(Accumulation::kBlackwell), IsEmpty());
}

TEST(Census, NamesKindsThatHardlyOccur) {
  EXPECT_THAT(
      census_of(49).missing(Accumulation::kBlackwell),
      ElementsAre("NaN", "infinite", "subnormal", "+0", "-0", "alignment loss", "result loss"));
  EXPECT_THAT(census_of(49).missing(Accumulation::kExact),
              ElementsAre("NaN", "infinite", "subnormal", "+0", "-0"));
}

TEST(Census, NamesAvailableTargetsWithoutOutputs) {
  Census census = census_of(50);
  census.of_target.front() = 0;  // portable
  EXPECT_THAT(census.missing(Accumulation::kExact), ElementsAre("portable"));
}

TEST(Census, NamesTilesWithoutOutputs) {
  // Without the tile unit no tiles are demanded.
  if (!is_available(EmulatorTarget::kAmx)) {
    GTEST_SKIP() << "this processor has no tile unit";
  }
  Census census = census_of(50);
  EXPECT_THAT(census.missing(Accumulation::kFp32Rne), IsEmpty());
  census.in_bf16 = 0;
  EXPECT_THAT(census.missing(Accumulation::kFp32Rne), ElementsAre("BF16 tiles"));
  EXPECT_THAT(census.missing(Accumulation::kExact), IsEmpty());
  census.in_bf16 = census.of_target.back();
  EXPECT_THAT(census.missing(Accumulation::kFp32Rne), ElementsAre("integer tiles"));
}

}  // namespace
}  // namespace nibblecore::comparison
