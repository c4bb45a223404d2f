// SPDX-License-Identifier: Apache-2.0
#include "model/scheme/scheme.hpp"

#include <fstream>
#include <set>
#include <string>

#include <gtest/gtest.h>

#include "model/common/error.hpp"

namespace nibblecore {
namespace {

GemmRecord record_of(const std::string& phase, GemmKind kind, const std::string& layer) {
  GemmRecord record;
  record.phase = phase;
  record.kind = kind;
  record.layer = layer;
  return record;
}

/// A scheme file with these rules and two treatments, q and s.
std::string scheme_text(const std::string& rules) {
  return R"({"name": "test", "description": "of a test", "source": "none", "confidence": "A",
             "treatments": {"q": {"format": "mxfp4"}, "s": {"format": "mxfp4", "rounding": "stochastic"}},
             "rules": )" +
         rules + "}";
}

std::string refusal(const std::string& text) {
  try {
    parse_scheme(text, "file.json");
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(Scheme, FirstMatchingRuleCountsAndNoneMeansUnquantized) {
  const Scheme scheme =
      parse_scheme(scheme_text(R"([{"phase": "rollout", "layer": "mlp", "a": "none", "b": "q"},
                      {"phase": "rollout", "a": "q", "b": "q"},
                      {"gemm": "wgrad", "a": "s", "b": "q"}])"),
                   "file.json");
  const auto names = [&](const GemmRecord& record) {
    const GemmTreatment& treatment = scheme.treatment(record);
    return treatment.a.name + " " + treatment.b.name;
  };
  EXPECT_EQ(names(record_of("rollout.prefill", GemmKind::kFprop, "layers.0.mlp.up_proj")),
            "none q");
  EXPECT_EQ(names(record_of("rollout.decode3", GemmKind::kFprop, "layers.0.self_attn.q_proj")),
            "q q");
  EXPECT_EQ(names(record_of("train", GemmKind::kWgrad, "layers.0.mlp.up_proj")), "s q");
  EXPECT_EQ(names(record_of("train", GemmKind::kDgrad, "layers.0.mlp.up_proj")), "none none");
  EXPECT_FALSE(scheme.treatment(record_of("train", GemmKind::kDgrad, "x")).is_quantized());
}

TEST(Scheme, EveryBuiltInOneParsesAndQuantizesSomething) {
  std::set<std::string> names;
  for (const Scheme& scheme : built_in_schemes()) {
    EXPECT_TRUE(names.insert(scheme.name).second) << scheme.name;
    bool quantizes = false;
    for (const char* phase : {"rollout.prefill", "logprob", "train"}) {
      for (const auto& [kind, name] : kGemmKinds) {
        quantizes = quantizes ||
                    scheme.treatment(record_of(phase, kind, "layers.0.mlp.up_proj")).is_quantized();
      }
    }
    EXPECT_TRUE(quantizes) << scheme.name;
    EXPECT_FALSE(scheme.source.empty());
  }
  EXPECT_EQ(names.size(), 22U);
}

TEST(Scheme, DiagnosesLeaveOneOperandOfTheRolloutAlone) {
  const GemmRecord rollout = record_of("rollout.decode0", GemmKind::kFprop, "layers.0.mlp.up_proj");
  const GemmRecord training = record_of("train", GemmKind::kFprop, "layers.0.mlp.up_proj");
  const Scheme weights = load_scheme("rl_hif4_train_w4a16_rollout");
  EXPECT_FALSE(weights.treatment(rollout).a.recipe.has_value());
  EXPECT_TRUE(weights.treatment(rollout).b.recipe.has_value());
  EXPECT_FALSE(weights.treatment(rollout).is_block_scaled());
  EXPECT_TRUE(weights.treatment(training).is_block_scaled());
  const Scheme activations = load_scheme("rl_mxfp4_train_w16a4_rollout");
  EXPECT_TRUE(activations.treatment(rollout).a.recipe.has_value());
  EXPECT_FALSE(activations.treatment(rollout).b.recipe.has_value());
  const Scheme trained_in_bf16 = load_scheme("rl_bf16_train_mxfp4_rollout");
  EXPECT_TRUE(trained_in_bf16.treatment(rollout).is_block_scaled());
  EXPECT_FALSE(trained_in_bf16.treatment(training).is_quantized());
}

TEST(Scheme, NvidiasPretrainingTransformsWgradAlone) {
  const Scheme scheme = load_scheme("nvfp4_pretraining");
  const auto treatment = [&](GemmKind kind) {
    return scheme.treatment(record_of("train", kind, "layers.0.mlp.up_proj"));
  };
  const GemmTreatment fprop = treatment(GemmKind::kFprop);
  EXPECT_EQ(fprop.b.recipe->choices.shape, BlockShape::kSquare);
  EXPECT_FALSE(fprop.a.recipe->hadamard.has_value());
  const GemmTreatment dgrad = treatment(GemmKind::kDgrad);
  EXPECT_TRUE(is_stochastic(dgrad.a.recipe->preset));
  EXPECT_TRUE(dgrad.a.recipe->choices.random.has_value());
  EXPECT_FALSE(is_stochastic(dgrad.b.recipe->preset));
  const GemmTreatment wgrad = treatment(GemmKind::kWgrad);
  EXPECT_EQ(wgrad.a.recipe->hadamard->length, 16);
  EXPECT_EQ(wgrad.b.recipe->hadamard->signs, HadamardSigns::kTransformerEngine);
  EXPECT_FALSE(is_stochastic(wgrad.b.recipe->preset));
}

TEST(Scheme, BadFilesAreRefusedWithFieldAndReason) {
  EXPECT_NE(refusal(scheme_text("[]")).find("field \"rules\": is empty"), std::string::npos);
  EXPECT_NE(refusal(scheme_text(R"([{"a": "q"}])")).find("\"rules[0].b\": is missing"),
            std::string::npos);
  EXPECT_NE(refusal(scheme_text(R"([{"a": "q", "b": "x"}])"))
                .find("\"rules[0].b\": is 'x', no treatment of this scheme (none, q, s)"),
            std::string::npos);
  EXPECT_NE(refusal(scheme_text(R"([{"a": "q", "b": "q", "layer": "("}])"))
                .find("field \"rules[0].layer\": \"(\" is not a regular expression"),
            std::string::npos);
  EXPECT_NE(refusal(scheme_text(R"([{"a": "q", "b": "q", "gemm": "fwd"}])"))
                .find("not one of fprop, dgrad, wgrad"),
            std::string::npos);
  EXPECT_NE(refusal(scheme_text(R"([{"a": "q", "b": "q", "phase": 3}])")).find("rules[0].phase"),
            std::string::npos);
  EXPECT_NE(refusal("{").find("file.json"), std::string::npos);
}

TEST(Scheme, LoadsFilesAndNamesTheBuiltInOnesOtherwise) {
  const std::string path = testing::TempDir() + "nibblecore_scheme.json";
  std::ofstream(path) << scheme_text(R"([{"a": "q", "b": "q"}])");
  EXPECT_EQ(load_scheme(path).name, "test");
  try {
    load_scheme("no_such_scheme");
    FAIL() << "accepted";
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("rl_w4a4_mxfp4, rl_w4a4_hif4"), std::string::npos);
  }
}

}  // namespace
}  // namespace nibblecore
