// SPDX-License-Identifier: Apache-2.0
#include "hw/datapath/quantizer_job.hpp"

#include <set>
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

TEST(QuantizerJob, TakesEveryPresetThatHasACircuit) {
  for (const Preset& preset : presets()) {
    if (!has_circuit(preset)) {
      EXPECT_NE(refusal(preset), "accepted") << preset.name;
      continue;
    }
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
  for (const ScaleRuleRecord& scale : kExponentRules) {
    for (const RoundingRecord& rounding : kDeterministicRoundings) {
      EXPECT_EQ(refusal(mxfp4_preset(scale.rule, rounding.rounding)), "accepted")
          << scale.name << " " << rounding.name;
    }
  }
}

TEST(QuantizerJob, RulesWithoutACircuitAreRefused) {
  for (const ScaleRule rule : {ScaleRule::kFourThirds, ScaleRule::kBestPowerOfTwo}) {
    const Preset other = mxfp4_preset(rule, Rounding::kNearestEven);
    EXPECT_FALSE(has_circuit(other));
    EXPECT_NE(refusal(other).find("the circuit knows the exact rules"), std::string::npos);
  }
  EXPECT_FALSE(has_circuit(mxfp4_preset(ScaleRule::kRceil, Rounding::kStochastic)));
  Preset quirky = mxfp4_preset(ScaleRule::kFloor, Rounding::kNearestEven);
  std::get<Mxfp4Rule>(quirky.rule).quirks = {Mxfp4Quirk::kLog2f};
  EXPECT_FALSE(has_circuit(quirky));
}

TEST(QuantizerJob, OfHif4AndNvfp4ThreePresetsHaveCircuits) {
  std::set<std::string> names;
  for (const Preset& preset : presets()) {
    if (preset.format.name != kMxfp4.name && has_circuit(preset)) {
      names.insert(preset.name);
    }
  }
  EXPECT_EQ(names, (std::set<std::string>{"amct", "model_a6_rne", "te_nvfp4"}));
}

/// Whether amct with one parameter set by `change` is refused.
template <typename Change>
bool hif4_is_refused(const Change& change) {
  Preset changed = preset(kHif4, "amct");
  change(std::get<Hif4Rule>(changed.rule));
  return !has_circuit(changed) && refusal(changed) != "accepted";
}

TEST(QuantizerJob, EveryHif4ParameterWithoutACircuitIsRefused) {
  EXPECT_FALSE(hif4_is_refused([](Hif4Rule&) {}));
  EXPECT_FALSE(hif4_is_refused([](Hif4Rule& rule) { rule.rounding = Rounding::kTowardZero; }));
  EXPECT_TRUE(hif4_is_refused([](Hif4Rule& rule) { rule.micro_product = Precision::kAsFp64; }));
  EXPECT_TRUE(hif4_is_refused([](Hif4Rule& rule) { rule.scaled_element = Precision::kAsFp64; }));
  EXPECT_TRUE(hif4_is_refused([](Hif4Rule& rule) { rule.rounding = Rounding::kStochastic; }));
  EXPECT_TRUE(hif4_is_refused([](Hif4Rule& rule) { rule.half_addition = HalfAddition::kInFp32; }));
  EXPECT_TRUE(
      hif4_is_refused([](Hif4Rule& rule) { rule.scale_rounding = Rounding::kNearestAway; }));
  EXPECT_TRUE(hif4_is_refused([](Hif4Rule& rule) { rule.range = Hif4Range::kNan; }));
  EXPECT_TRUE(hif4_is_refused([](Hif4Rule& rule) { rule.scale_code_zero = ScaleCodeZero::kZero; }));
  EXPECT_TRUE(hif4_is_refused([](Hif4Rule& rule) { rule.non_finite = Hif4NonFinite::kTakePart; }));
}

TEST(QuantizerJob, StochasticNvfp4IsRefused) {
  Preset stochastic = preset(kNvfp4, "");
  std::get<Nvfp4Rule>(stochastic.rule).rounding = Rounding::kStochastic;
  EXPECT_FALSE(has_circuit(stochastic));
  EXPECT_NE(refusal(stochastic).find("TransformerEngine"), std::string::npos);
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
