// SPDX-License-Identifier: Apache-2.0
#include "model/scheme/treatment_file.hpp"

#include <string>

#include <gtest/gtest.h>

#include "model/common/strict_json.hpp"
#include "tests/support/input_error.hpp"

namespace nibblecore {
namespace {

GemmTreatment gemm_of(const std::string& treatments, const std::string& rule) {
  const std::string place = "file.json";
  const auto named = parse_strict_json(treatments, place, 0);
  const auto document = parse_strict_json(rule, place, 0);
  return read_treatment(JsonNode(document, place), read_named_treatments(JsonNode(named, place)));
}

constexpr const char* kTwo =
    R"({"q": {"format": "mxfp4"}, "h": {"format": "hif4"},
        "t": {"format": "mxfp4", "hadamard": {"length": 32, "signs": "seeded"}}})";

TEST(TreatmentFile, TreatmentsHaveNames) {
  const std::string place = "file.json";
  const auto document = parse_strict_json(kTwo, place, 0);
  const NamedTreatments treatments = read_named_treatments(JsonNode(document, place));
  EXPECT_EQ(treatments.size(), 4U);
  EXPECT_EQ(treatments.at("t").name, "t");
  EXPECT_EQ(treatments.at("h").recipe->preset.format.name, "hif4");
  EXPECT_FALSE(treatments.at("none").recipe.has_value());
  EXPECT_NE(input_error([] {
              gemm_of(R"({"none": {"format": "hif4"}})", R"({"a": "none", "b": "none"})");
            }).find("reserved"),
            std::string::npos);
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
  const auto gemm_refusal = [&](const std::string& rule) {
    return input_error([&] { gemm_of(kTwo, rule); });
  };
  EXPECT_NE(gemm_refusal(R"({"a": "q", "b": "t"})").find("another Hadamard matrix"),
            std::string::npos);
  EXPECT_EQ(gemm_refusal(R"({"a": "t", "b": "t"})"), "");
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
