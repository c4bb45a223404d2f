// SPDX-License-Identifier: Apache-2.0
#include "model/formats/preset.hpp"

#include <set>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/input_error.hpp"

namespace nibblecore {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

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
  EXPECT_EQ(names, (std::set<std::string>{"rceil",
                                          "floor",
                                          "ceil",
                                          "even",
                                          "oas",
                                          "four_thirds",
                                          "best_pow2",
                                          "torchao_floor",
                                          "torchao_ceil",
                                          "torchao_even",
                                          "torchao_rceil",
                                          "aiter_round_down",
                                          "aiter_round_up",
                                          "aiter_ceil",
                                          "aiter_even",
                                          "triton_kernels_round_up",
                                          "triton_kernels_round_down",
                                          "microxcaling_cpp_nearest",
                                          "microxcaling_cpp_even",
                                          "microxcaling_cpp_floor",
                                          "microxcaling_torch_nearest",
                                          "microxcaling_torch_even",
                                          "microxcaling_torch_floor",
                                          "microxcaling_torch_even_flushsub",
                                          "gfloat_amax_float64",
                                          "gfloat_amax_float32",
                                          "ggml_mxfp4",
                                          "fpquant_mxfp4",
                                          "te_pow2_ceil",
                                          "amct",
                                          "model_a6_rne",
                                          "gcc_cuda",
                                          "gcc_np_gpu",
                                          "gcc_torch_gpu",
                                          "gcc_torch_npu",
                                          "model_pto_golden",
                                          "model_cann_ops_golden",
                                          "model_supernpu_golden",
                                          "te_nvfp4",
                                          "ggml_nvfp4",
                                          "hifloat4_nvfp4",
                                          "hifloat4_nvfp4_pts",
                                          "four_over_six"}));
}

TEST(Preset, AliasNamesTheSameRecord) {
  EXPECT_EQ(&preset(kHif4, "a6"), &preset(kHif4, "model_a6_rne"));
}

TEST(Preset, UnknownNameListsThoseOfTheFormat) {
  EXPECT_THAT(input_error([] { preset(kHif4, "rceil"); }),
              AllOf(HasSubstr("--preset"), HasSubstr("'rceil'"), HasSubstr("hif4"),
                    HasSubstr("(known: amct, model_a6_rne, a6, gcc_cuda, ")));
  EXPECT_THAT(
      input_error([] { preset(kMxfp4, "a6"); }),
      HasSubstr("(known: rceil, floor, ceil, even, oas, four_thirds, best_pow2, torchao_floor, "));
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
    if (!is_packable(rule.rule)) {
      EXPECT_THROW(mxfp4_preset(rule.rule, Rounding::kNearestEven), InputError) << rule.name;
      continue;
    }
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
  EXPECT_THAT(input_error([] { scale_rule("round"); }),
              AllOf(HasSubstr("--scale-rule"),
                    HasSubstr("rceil, floor, ceil, even, oas, four_thirds, best_pow2, ideal)")));
  EXPECT_THAT(input_error([] { rounding("RNE"); }),
              AllOf(HasSubstr("--rounding"), HasSubstr("rne, half_away, half_zero, toward_zero")));
}

TEST(Preset, WithRoundingChangesTheRoundingAndItsName) {
  const Preset mxfp4 = with_rounding(preset(kMxfp4, "floor"), Rounding::kStochastic);
  EXPECT_EQ(mxfp4.name, "floor+stochastic");
  EXPECT_EQ(std::get<Mxfp4Rule>(mxfp4.rule).scale, ScaleRule::kFloor);
  EXPECT_EQ(std::get<Mxfp4Rule>(mxfp4.rule).rounding, Rounding::kStochastic);
  const Preset hif4 = with_rounding(preset(kHif4, "a6"), Rounding::kStochastic);
  EXPECT_EQ(hif4.name, "model_a6_rne+stochastic");
  EXPECT_EQ(hif4.alias, "");
  EXPECT_EQ(std::get<Hif4Rule>(hif4.rule).rounding, Rounding::kStochastic);
  const Preset nvfp4 = with_rounding(preset(kNvfp4, ""), Rounding::kStochastic);
  EXPECT_EQ(nvfp4.name, "te_nvfp4+stochastic");
  EXPECT_EQ(std::get<Nvfp4Rule>(nvfp4.rule).rounding, Rounding::kStochastic);
  for (const Preset& record : {mxfp4, hif4, nvfp4}) {
    EXPECT_TRUE(is_stochastic(record));
    EXPECT_EQ(with_rounding(record, Rounding::kTowardZero).name,
              record.name.substr(0, record.name.find('+')) + "+toward_zero");
    EXPECT_EQ(with_rounding(record, Rounding::kStochastic).name, record.name);
  }
  EXPECT_FALSE(is_stochastic(preset(kMxfp4, "")));
}

TEST(Preset, WithRoundingLeavesPeersWithTheirOwn) {
  Preset peer = preset(kMxfp4, "floor");
  std::get<Mxfp4Rule>(peer.rule).quirks = {Mxfp4Quirk::kLog2f};
  EXPECT_THAT(input_error([&] { with_rounding(peer, Rounding::kStochastic); }),
              HasSubstr("rounds as its peer does"));
  Preset least_error = preset(kNvfp4, "");
  std::get<Nvfp4Rule>(least_error.rule).element = Nvfp4ElementRule::kLeastFp32Error;
  EXPECT_THAT(input_error([&] { with_rounding(least_error, Rounding::kStochastic); }),
              HasSubstr("rounds as its peer does"));
  // A half that is added in FP32 is added no more.
  Preset adds_half = preset(kHif4, "");
  std::get<Hif4Rule>(adds_half.rule).half_addition = HalfAddition::kInFp32;
  EXPECT_EQ(std::get<Hif4Rule>(with_rounding(adds_half, Rounding::kNearestEven).rule).half_addition,
            HalfAddition::kExact);
}

}  // namespace
}  // namespace nibblecore
