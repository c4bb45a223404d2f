// SPDX-License-Identifier: Apache-2.0
#include "hw/datapath/quantizer_job.hpp"

#include <string>

#include <gtest/gtest.h>

#include "model/common/error.hpp"

namespace nibblecore::hw {
namespace {

constexpr Nvfp4Factors kFactors{0x44A80000, 0x3A430C31};

std::string refusal(const Preset& preset) {
  try {
    quantizer_job(preset, ResidualPattern::kNone, kFactors);
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(QuantizerJob, EveryNamedPresetHasACircuit) {
  for (const Preset& preset : presets()) {
    const QuantizerJob job = quantizer_job(preset, ResidualPattern::kTwoOfFour, kFactors);
    EXPECT_EQ(job.block(), preset.format.block) << preset.name;
    EXPECT_EQ(job.residual, ResidualPattern::kTwoOfFour);
  }
}

TEST(QuantizerJob, TakesThePresetsRule) {
  const QuantizerJob mxfp4 =
      quantizer_job(preset(kMxfp4, "torchao_ceil"), ResidualPattern::kNone, kFactors);
  EXPECT_EQ(std::get<Mxfp4Rule>(mxfp4.rule).scale, ScaleRule::kCeil);
  EXPECT_EQ(std::get<Mxfp4Rule>(mxfp4.rule).code_under_nan, 3);
  const QuantizerJob hif4 = quantizer_job(preset(kHif4, "a6"), ResidualPattern::kDense, kFactors);
  EXPECT_EQ(std::get<Hif4Rule>(hif4.rule).input, Precision::kAsBf16);
  EXPECT_EQ(hif4.residual, ResidualPattern::kDense);
  const QuantizerJob nvfp4 = quantizer_job(preset(kNvfp4, ""), ResidualPattern::kNone, kFactors);
  EXPECT_EQ(std::get<Nvfp4Factors>(nvfp4.rule).encode, kFactors.encode);
  EXPECT_EQ(std::get<Nvfp4Factors>(nvfp4.rule).decode, kFactors.decode);
}

TEST(QuantizerJob, EveryScaleRuleAndRoundingIsInTheCircuit) {
  for (const ScaleRuleRecord& scale : kScaleRules) {
    for (const RoundingRecord& rounding : kRoundings) {
      EXPECT_EQ(refusal(mxfp4_preset(scale.rule, rounding.rounding)), "accepted")
          << scale.name << " " << rounding.name;
    }
  }
}

TEST(QuantizerJob, BlocksOfAnotherLengthOrScaleAreRefused) {
  Preset shorter = preset(kMxfp4, "");
  shorter.format = make_block_format("mxfp4", 16, "ue8m0");
  EXPECT_NE(refusal(shorter).find("blocks of 16 under ue8m0"), std::string::npos)
      << refusal(shorter);
  Preset longer = preset(kNvfp4, "");
  longer.format = make_block_format("nvfp4", 32, "ue4m3");
  EXPECT_NE(refusal(longer).find("blocks of 32 under ue4m3"), std::string::npos) << refusal(longer);
}

TEST(QuantizerJob, FactorsArePositiveNumbersOrBothNan) {
  const auto job = [](uint32_t encode, uint32_t decode) {
    return quantizer_job(preset(kNvfp4, ""), ResidualPattern::kNone, {encode, decode});
  };
  EXPECT_NO_THROW(job(0x7F7FFFFF, 0x00200000));  // of a tensor of zeros
  EXPECT_NO_THROW(job(0x7FC00000, 0xFFC00000));
  EXPECT_THROW(job(0x7FC00000, 0x3F800000), InternalError);
  EXPECT_THROW(job(0x3F800000, 0x7FC00000), InternalError);
  EXPECT_THROW(job(0, 0x3F800000), InternalError);
  EXPECT_THROW(job(0x3F800000, 0x7F800000), InternalError);
  EXPECT_THROW(job(0xBF800000, 0x3F800000), InternalError);
  EXPECT_NO_THROW(quantizer_job(preset(kHif4, ""), ResidualPattern::kNone, {0, 0}));
}

}  // namespace
}  // namespace nibblecore::hw
