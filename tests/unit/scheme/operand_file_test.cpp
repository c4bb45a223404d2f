// SPDX-License-Identifier: Apache-2.0
#include "model/scheme/operand_file.hpp"

#include <string>

#include <gtest/gtest.h>

#include "model/common/strict_json.hpp"
#include "tests/support/input_error.hpp"

namespace nibblecore {
namespace {

OperandTreatment operand_of(const std::string& text) {
  const std::string place = "file.json";
  const auto document = parse_strict_json("{\"t\": " + text + "}", place, 0);
  return read_operand(JsonNode(document, place)["t"]);
}

std::string refusal(const std::string& text) {
  return input_error([&] { operand_of(text); });
}

TEST(OperandFile, ReadsEveryField) {
  const OperandTreatment treatment = operand_of(
      R"({"format": "mxfp4", "scale_rule": "oas", "rounding": "stochastic", "axis": "other",
          "pre_scale": 0.75, "hadamard": {"length": 64, "signs": "plus"},
          "macro": {"search": "dynamic", "length": 256, "candidates": 64},
          "noise": {"sigma": 0.01}})");
  EXPECT_EQ(treatment.axis, BlockAxis::kOther);
  EXPECT_EQ(treatment.pre_scale, 0.75F);
  EXPECT_FALSE(treatment.is_packed());
  const OperandRecipe& recipe = *treatment.recipe;
  const auto& rule = std::get<Mxfp4Rule>(recipe.preset.rule);
  EXPECT_EQ(rule.scale, ScaleRule::kOas);
  EXPECT_EQ(rule.rounding, Rounding::kStochastic);
  EXPECT_TRUE(recipe.choices.random.has_value());
  EXPECT_EQ(recipe.hadamard->length, 64);
  EXPECT_EQ(recipe.hadamard->signs, HadamardSigns::kPlus);
  EXPECT_EQ(recipe.macro->search, MacroSearch::kDynamic);
  EXPECT_EQ(recipe.macro->length, 256);
  EXPECT_EQ(recipe.macro->candidates, 64);
  EXPECT_EQ(recipe.noise->sigma, 0.01);
}

TEST(OperandFile, NoiseScheduleGivesTheStagesDeviation) {
  const OperandTreatment treatment = operand_of(
      R"({"format": "mxfp4", "noise": {"start": 0.01, "end": 0.0001, "stages": 3, "stage": 2,
          "first": "noisy"}})");
  EXPECT_EQ(treatment.recipe->noise->sigma, noise_sigma({0.01, 0.0001, 3, FirstStage::kNoisy}, 2));
}

TEST(OperandFile, PlainIsWhatAnOnlineQuantizerDoes) {
  EXPECT_TRUE(operand_of(R"({"format": "hif4"})").is_plain());
  for (const char* text :
       {R"({"format": "mxfp4", "hadamard": {"length": 32}})",
        R"({"format": "mxfp4", "macro": {"search": "static"}})",
        R"({"format": "mxfp4", "shape": "square"})", R"({"format": "mxfp4", "pre_scale": 0.5})",
        R"({"format": "mxfp4", "rounding": "stochastic"})",
        R"({"format": "mxfp4", "axis": "other"})",
        R"({"format": "mxfp4", "noise": {"sigma": 1}})"}) {
    EXPECT_FALSE(operand_of(text).is_plain()) << text;
  }
  EXPECT_FALSE(OperandTreatment().is_plain());
}

TEST(OperandFile, RefusesWhatDoesNotGoTogether) {
  EXPECT_NE(refusal(R"({"format": "fp8"})").find("not one of mxfp4, hif4, nvfp4"),
            std::string::npos);
  EXPECT_NE(refusal(R"({"format": "hif4", "scale_rule": "oas"})").find("t.scale_rule"),
            std::string::npos);
  EXPECT_NE(refusal(R"({"format": "mxfp4", "scale_rule": "ideal"})").find("no block format holds"),
            std::string::npos);
  EXPECT_NE(refusal(R"({"format": "mxfp4", "hadamard": {"length": 48}})").find("t.hadamard"),
            std::string::npos);
  EXPECT_NE(refusal(R"({"format": "nvfp4", "macro": {"search": "static"}})").find("field"),
            std::string::npos);
  EXPECT_NE(refusal(R"({"format": "hif4", "shape": "square"})").find("field"), std::string::npos);
  EXPECT_NE(refusal(R"({"format": "mxfp4", "noise": {"sigma": -1}})").find("is negative"),
            std::string::npos);
  EXPECT_NE(refusal(R"({"format": "mxfp4", "size": 3})").find("\"t.size\": is unknown"),
            std::string::npos);
  EXPECT_EQ(refusal(R"({"format": "mxfp4", "rounding": "up"})"),
            "file.json, field \"t.rounding\": is \"up\", not one of rne, half_away, half_zero, "
            "toward_zero, stochastic");
}

}  // namespace
}  // namespace nibblecore
