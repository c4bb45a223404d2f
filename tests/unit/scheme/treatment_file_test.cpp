// SPDX-License-Identifier: Apache-2.0
#include "model/scheme/treatment_file.hpp"

#include <string>

#include <gtest/gtest.h>

#include "model/common/error.hpp"
#include "model/common/strict_json.hpp"

namespace nibblecore {
namespace {

OperandTreatment operand_of(const std::string& text) {
  const std::string place = "file.json";
  const auto document = parse_strict_json("{\"t\": " + text + "}", place, 0);
  return read_named_treatments(JsonNode(document, place)).at("t");
}

GemmTreatment gemm_of(const std::string& treatments, const std::string& rule) {
  const std::string place = "file.json";
  const auto named = parse_strict_json(treatments, place, 0);
  const auto document = parse_strict_json(rule, place, 0);
  return read_treatment(JsonNode(document, place), read_named_treatments(JsonNode(named, place)));
}

template <typename Read>
std::string refusal(const Read& read) {
  try {
    read();
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

std::string operand_refusal(const std::string& text) {
  return refusal([&] { operand_of(text); });
}

constexpr const char* kTwo =
    R"({"q": {"format": "mxfp4"}, "h": {"format": "hif4"},
        "t": {"format": "mxfp4", "hadamard": {"length": 32, "signs": "seeded"}}})";

TEST(TreatmentFile, ReadsEveryField) {
  const OperandTreatment treatment = operand_of(
      R"({"format": "mxfp4", "scale_rule": "oas", "rounding": "stochastic", "axis": "other",
          "pre_scale": 0.75, "hadamard": {"length": 64, "signs": "plus"},
          "macro": {"search": "dynamic", "length": 256, "candidates": 64},
          "noise": {"sigma": 0.01}})");
  EXPECT_EQ(treatment.name, "t");
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

TEST(TreatmentFile, NoiseScheduleGivesTheStagesDeviation) {
  const OperandTreatment treatment = operand_of(
      R"({"format": "mxfp4", "noise": {"start": 0.01, "end": 0.0001, "stages": 3, "stage": 2,
          "first": "noisy"}})");
  EXPECT_EQ(treatment.recipe->noise->sigma, noise_sigma({0.01, 0.0001, 3, FirstStage::kNoisy}, 2));
}

TEST(TreatmentFile, PlainIsWhatAnOnlineQuantizerDoes) {
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

TEST(TreatmentFile, ReadsResiduals) {
  const GemmTreatment treatment = gemm_of(kTwo, R"({"a": "q", "b": "q", "epilogue": "separate",
                "residual": {"pattern": "dense", "order": "appended", "build": "parallel",
                             "alpha": 0.5}})");
  EXPECT_TRUE(treatment.has_residual());
  EXPECT_EQ(treatment.epilogue, MacroEpilogue::kSeparate);
  EXPECT_EQ(treatment.residual.order, ResidualOrder::kAppended);
  EXPECT_EQ(treatment.residual.build, ResidualBuild::kParallel);
  EXPECT_EQ(treatment.residual.alpha, 0.5F);
  const GemmTreatment tiles = gemm_of(kTwo, R"({"a": "q", "b": "q",
                "residual": {"pattern": "dense", "tiles": {"rows": 64, "rate": 0.25}}})");
  EXPECT_EQ(tiles.residual.selection->tiles.rows, 64);
  EXPECT_EQ(tiles.residual.selection->tiles.channels, 128);
  EXPECT_EQ(tiles.residual.selection->rate, 0.25);
}

TEST(TreatmentFile, OperandsOfTwoFormatsAreNoBlockScaledGemm) {
  EXPECT_TRUE(gemm_of(kTwo, R"({"a": "q", "b": "q"})").is_block_scaled());
  EXPECT_FALSE(gemm_of(kTwo, R"({"a": "q", "b": "h"})").is_block_scaled());
  EXPECT_FALSE(gemm_of(kTwo, R"({"a": "q", "b": "none"})").is_block_scaled());
}

TEST(TreatmentFile, RefusesWhatDoesNotGoTogether) {
  EXPECT_NE(operand_refusal(R"({"format": "fp8"})").find("not one of mxfp4, hif4, nvfp4"),
            std::string::npos);
  EXPECT_NE(operand_refusal(R"({"format": "hif4", "scale_rule": "oas"})").find("t.scale_rule"),
            std::string::npos);
  EXPECT_NE(operand_refusal(R"({"format": "mxfp4", "scale_rule": "ideal"})")
                .find("no block format holds"),
            std::string::npos);
  EXPECT_NE(
      operand_refusal(R"({"format": "mxfp4", "hadamard": {"length": 48}})").find("t.hadamard"),
      std::string::npos);
  EXPECT_NE(operand_refusal(R"({"format": "nvfp4", "macro": {"search": "static"}})").find("field"),
            std::string::npos);
  EXPECT_NE(operand_refusal(R"({"format": "hif4", "shape": "square"})").find("field"),
            std::string::npos);
  EXPECT_NE(operand_refusal(R"({"format": "mxfp4", "noise": {"sigma": -1}})").find("is negative"),
            std::string::npos);
  EXPECT_NE(operand_refusal(R"({"format": "mxfp4", "size": 3})").find("\"t.size\": is unknown"),
            std::string::npos);
  const auto gemm_refusal = [&](const std::string& rule) {
    return refusal([&] { gemm_of(kTwo, rule); });
  };
  EXPECT_NE(gemm_refusal(R"({"a": "q", "b": "t"})").find("another Hadamard matrix"),
            std::string::npos);
  EXPECT_EQ(gemm_refusal(R"({"a": "t", "b": "t"})"), "accepted");
  EXPECT_NE(gemm_refusal(R"({"a": "none", "b": "q", "residual": {"pattern": "2:4"}})")
                .find("two operands quantized along K"),
            std::string::npos);
  EXPECT_NE(gemm_refusal(R"({"a": "q", "b": "q",
                             "residual": {"pattern": "2:4", "tiles": {"rate": 0.5}}})")
                .find("goes with the dense pattern"),
            std::string::npos);
  EXPECT_NE(gemm_refusal(R"({"a": "q", "b": "q", "residual": {"pattern": "dense", "tiles": {}}})")
                .find("either theta or rate"),
            std::string::npos);
}

}  // namespace
}  // namespace nibblecore
