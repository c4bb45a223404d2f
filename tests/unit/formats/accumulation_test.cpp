// SPDX-License-Identifier: Apache-2.0
#include "model/formats/accumulation.hpp"

#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model/common/error.hpp"

namespace nibblecore {
namespace {

TEST(Accumulation, NamesGoBothWays) {
  EXPECT_EQ(accumulation("fp32-rne"), Accumulation::kFp32Rne);
  EXPECT_EQ(accumulation("fp32-fused"), Accumulation::kFp32Fused);
  EXPECT_EQ(accumulation("blackwell"), Accumulation::kBlackwell);
  EXPECT_EQ(accumulation("blackwell-v1"), Accumulation::kBlackwellV1);
  EXPECT_EQ(accumulation("blackwell-mxf8f6f4"), Accumulation::kBlackwellMxf8f6f4);
  EXPECT_EQ(accumulation("exact"), Accumulation::kExact);
  for (const AccumulationRecord& record : kAccumulations) {
    EXPECT_EQ(name_of(record.accumulation), record.name);
    EXPECT_EQ(accumulation(record.name), record.accumulation);
  }
}

TEST(Accumulation, UnknownNameIsAnErrorThatListsTheKnownOnes) {
  for (const char* const name : {"", "fp32", "FP32-RNE", "exact ", "blackwell-v2"}) {
    try {
      accumulation(name);
      ADD_FAILURE() << "accepted '" << name << "'";
    } catch (const InputError& error) {
      EXPECT_THAT(error.what(), testing::HasSubstr("fp32-rne, fp32-fused, blackwell, blackwell-v1, "
                                                   "blackwell-mxf8f6f4, exact"));
    }
  }
}

TEST(Accumulation, NodeWidths) {
  for (const BlockFormat& format : {kMxfp4, kHif4, kNvfp4}) {
    EXPECT_EQ(node_width(Accumulation::kFp32Rne, format), format.block);
    EXPECT_EQ(node_width(Accumulation::kFp32Fused, format), 64);
    EXPECT_EQ(node_width(Accumulation::kExact, format), 0);
  }
  EXPECT_EQ(node_width(Accumulation::kBlackwell, kNvfp4), 64);
  EXPECT_EQ(node_width(Accumulation::kBlackwellV1, kMxfp4), 64);
  EXPECT_EQ(node_width(Accumulation::kBlackwellMxf8f6f4, kMxfp4), 32);
}

TEST(Accumulation, PoliciesThatTruncateAndTheirNan) {
  for (const AccumulationRecord& record : kAccumulations) {
    const bool truncates = record.name.substr(0, 9) == "blackwell";
    EXPECT_EQ(is_truncating(record.accumulation), truncates) << record.name;
    EXPECT_EQ(nan_of(record.accumulation), truncates ? 0x7FFFFFFFU : 0x7FC00000U) << record.name;
    EXPECT_EQ(record.basis == PolicyBasis::kContract, !truncates) << record.name;
  }
}

/// The message where `policy` has no arithmetic for this format, or nothing.
std::string refusal(Accumulation policy, const BlockFormat& format) {
  try {
    require_format_of(policy, format);
  } catch (const InputError& error) {
    return error.what();
  }
  return {};
}

TEST(Accumulation, FormatsOfEachPolicy) {
  for (const int block : {16, 32, 64}) {
    for (const char* const scale : {"ue8m0", "ue4m3"}) {
      const BlockFormat format = make_block_format("mxfp4", block, scale);
      SCOPED_TRACE(std::string(scale) + " " + std::to_string(block));
      EXPECT_EQ(refusal(Accumulation::kBlackwell, format).empty(), block != 64);
      EXPECT_EQ(refusal(Accumulation::kBlackwellV1, format).empty(), block != 64);
      EXPECT_EQ(refusal(Accumulation::kBlackwellMxf8f6f4, format).empty(),
                block == 32 && format.scale == ScaleKind::kE8m0);
    }
  }
  for (const AccumulationRecord& record : kAccumulations) {
    EXPECT_EQ(refusal(record.accumulation, kHif4).empty(), !is_truncating(record.accumulation));
  }
}

TEST(Accumulation, RefusalNamesThePolicyAndWhatItTakes) {
  EXPECT_THAT(
      refusal(Accumulation::kBlackwellV1, kHif4),
      testing::AllOf(testing::HasSubstr("--accumulate"), testing::HasSubstr("'blackwell-v1'"),
                     testing::HasSubstr("E2M1 elements in blocks of 16 or 32")));
  EXPECT_THAT(refusal(Accumulation::kBlackwellMxf8f6f4, kNvfp4),
              testing::AllOf(testing::HasSubstr("'blackwell-mxf8f6f4'"),
                             testing::HasSubstr("E2M1 elements under ue8m0 in blocks of 32")));
}

}  // namespace
}  // namespace nibblecore
