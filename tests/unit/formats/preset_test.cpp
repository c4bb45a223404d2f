// SPDX-License-Identifier: Apache-2.0
#include "model/formats/preset.hpp"

#include <set>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model/common/error.hpp"

namespace nibblecore {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

template <typename Action>
std::string input_error_of(const Action& action) {
  try {
    action();
  } catch (const InputError& error) {
    return error.what();
  }
  return {};
}

TEST(Preset, EmptyNameIsTheDefault) {
  EXPECT_EQ(preset(kMxfp4, "").name, "rceil");
  EXPECT_EQ(preset(kHif4, "").name, "amct");
  EXPECT_EQ(preset(kNvfp4, "").name, "te_nvfp4");
}

TEST(Preset, EveryRecordIsFoundByItsNameAndDescribed) {
  std::set<std::string> names;
  for (const Preset& record : presets()) {
    EXPECT_EQ(&preset(record.format, record.name), &record);
    EXPECT_FALSE(record.meaning.empty()) << record.name;
    EXPECT_FALSE(record.provenance.empty()) << record.name;
    names.insert(record.name);
  }
  EXPECT_EQ(names, (std::set<std::string>{"rceil", "floor", "ceil", "even", "oas", "torchao_floor",
                                          "torchao_ceil", "amct", "model_a6_rne", "te_nvfp4"}));
}

TEST(Preset, AliasNamesTheSameRecord) {
  EXPECT_EQ(&preset(kHif4, "a6"), &preset(kHif4, "model_a6_rne"));
}

TEST(Preset, UnknownNameListsThoseOfTheFormat) {
  EXPECT_THAT(input_error_of([] { preset(kHif4, "rceil"); }),
              AllOf(HasSubstr("--preset"), HasSubstr("'rceil'"), HasSubstr("hif4"),
                    HasSubstr("amct, model_a6_rne, a6)")));
  EXPECT_THAT(input_error_of([] { preset(kMxfp4, "a6"); }),
              HasSubstr("rceil, floor, ceil, even, oas, torchao_floor, torchao_ceil)"));
}

TEST(Preset, TorchaoPresetsDifferFromTheRulesOnlyUnderANanScale) {
  for (const std::string rule : {"floor", "ceil"}) {
    const auto exact = std::get<Mxfp4Rule>(preset(kMxfp4, rule).rule);
    const auto peer = std::get<Mxfp4Rule>(preset(kMxfp4, "torchao_" + rule).rule);
    EXPECT_EQ(peer.scale, exact.scale);
    EXPECT_EQ(peer.rounding, exact.rounding);
    EXPECT_EQ(exact.code_under_nan, 0);
    EXPECT_EQ(peer.code_under_nan, 3);
  }
}

TEST(Preset, AnyRuleWithAnyRounding) {
  for (const ScaleRuleRecord& rule : kScaleRules) {
    for (const RoundingRecord& rounding_record : kRoundings) {
      const Preset made = mxfp4_preset(rule.rule, rounding_record.rounding);
      const auto made_rule = std::get<Mxfp4Rule>(made.rule);
      EXPECT_EQ(made_rule.scale, rule.rule);
      EXPECT_EQ(made_rule.rounding, rounding_record.rounding);
      EXPECT_EQ(made_rule.code_under_nan, 0);
      EXPECT_EQ(made.format.name, kMxfp4.name);
    }
  }
  EXPECT_EQ(mxfp4_preset(ScaleRule::kCeil, Rounding::kNearestEven).name, "ceil");
  EXPECT_EQ(mxfp4_preset(ScaleRule::kEven, Rounding::kNearestZero).name, "even+half_zero");
}

TEST(Preset, RuleAndRoundingNames) {
  EXPECT_EQ(scale_rule("rceil"), ScaleRule::kRceil);
  EXPECT_EQ(scale_rule("even"), ScaleRule::kEven);
  EXPECT_EQ(rounding("half_away"), Rounding::kNearestAway);
  EXPECT_EQ(rounding("toward_zero"), Rounding::kTowardZero);
  for (const ScaleRuleRecord& record : kScaleRules) {
    EXPECT_EQ(name_of(scale_rule(record.name)), record.name);
  }
  for (const RoundingRecord& record : kRoundings) {
    EXPECT_EQ(name_of(rounding(record.name)), record.name);
  }
  EXPECT_THAT(input_error_of([] { scale_rule("round"); }),
              AllOf(HasSubstr("--scale-rule"), HasSubstr("rceil, floor, ceil, even, oas)")));
  EXPECT_THAT(input_error_of([] { rounding("RNE"); }),
              AllOf(HasSubstr("--rounding"), HasSubstr("rne, half_away, half_zero, toward_zero")));
}

}  // namespace
}  // namespace nibblecore
