// SPDX-License-Identifier: Apache-2.0
#include "model/formats/accumulation.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model/common/error.hpp"

namespace nibblecore {
namespace {

TEST(Accumulation, NamesGoBothWays) {
  EXPECT_EQ(accumulation("fp32-rne"), Accumulation::kFp32Rne);
  EXPECT_EQ(accumulation("fp32-fused"), Accumulation::kFp32Fused);
  EXPECT_EQ(accumulation("exact"), Accumulation::kExact);
  for (const AccumulationRecord& record : kAccumulations) {
    EXPECT_EQ(name_of(record.accumulation), record.name);
    EXPECT_EQ(accumulation(record.name), record.accumulation);
  }
}

TEST(Accumulation, UnknownNameIsAnErrorThatListsTheKnownOnes) {
  for (const char* const name : {"", "fp32", "FP32-RNE", "exact "}) {
    try {
      accumulation(name);
      ADD_FAILURE() << "accepted '" << name << "'";
    } catch (const InputError& error) {
      EXPECT_THAT(error.what(), testing::HasSubstr("fp32-rne, fp32-fused, exact"));
    }
  }
}

}  // namespace
}  // namespace nibblecore
