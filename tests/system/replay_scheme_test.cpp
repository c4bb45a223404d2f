// SPDX-License-Identifier: Apache-2.0
#include <fstream>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/system/support/expect_refused.hpp"
#include "tests/system/support/program.hpp"
#include "tests/system/support/report.hpp"
#include "tests/unit/trace/temporary_folder.hpp"

namespace nibblecore {
namespace {

namespace json = boost::json;
using testing::HasSubstr;

constexpr const char* kTinyGrpo = NIBBLECORE_TEST_DATA "/tiny_grpo";
// Every phase of one layer, all three GEMMs.
constexpr const char* kSlice = R"(layer=layers\.0\.self_attn\.k_proj)";

/// The report of a replay of the slice.
Report replay(Arguments options) {
  options.insert(options.end(), {"--filter", kSlice});
  return replay_report(kTinyGrpo, options);
}

double snr(const Report& report) { return report.totals().at("snr_db").as_double(); }

Arguments numeric(Arguments options) {
  options.insert(options.end(), {"--fidelity", "numeric"});
  return options;
}

TEST(ReplayScheme, PlainSchemeIsThePresetInEveryBitAndCycle) {
  const Report preset = replay({"--format", "hif4"});
  const Report scheme = replay({"--scheme", "rl_w4a4_hif4"});
  ASSERT_EQ(preset.gemms().size(), scheme.gemms().size());
  for (size_t i = 0; i < preset.gemms().size(); ++i) {
    json::object expected = preset.gemms()[i].as_object();
    json::object found = scheme.gemms()[i].as_object();
    expected.erase("treatment");
    found.erase("treatment");
    EXPECT_EQ(found, expected);
  }
}

TEST(ReplayScheme, ResidualOfTheRolloutAlone) {
  const Report report = replay({"--scheme", "rl_w4a4_mxfp4_resq"});
  for (const json::value& value : report.gemms()) {
    const json::object& gemm = value.as_object();
    const std::string phase(gemm.at("phase").as_string());
    EXPECT_EQ(gemm.at("residual").as_bool(), phase.rfind("rollout", 0) == 0) << phase;
    EXPECT_EQ(integer(gemm, "mismatches"), 0);
  }
}

TEST(ReplayScheme, UnquantizedOperandIsMultipliedAsNumbers) {
  const Report report = replay(numeric({"--scheme", "rl_mxfp4_train_w4a16_rollout"}));
  for (const json::value& value : report.gemms()) {
    const json::object& gemm = value.as_object();
    const bool rollout = gemm.at("phase").as_string().subview(0, 7) == "rollout";
    EXPECT_EQ(gemm.at("multiplied_as").as_string(), rollout ? "numbers" : "blocks");
    EXPECT_EQ(gemm.at("treatment").as_object().at("a").as_string(), rollout ? "none" : "q");
    if (rollout) {
      // The activations are as they were.
      EXPECT_EQ(gemm.at("a").as_object().at("gain"), json::value(nullptr));
      EXPECT_LT(gemm.at("b").as_object().at("cosine").as_double(), 1.0);
    }
  }
  EXPECT_EQ(integer(report.totals(), "number_gemms"), 4);
}

TEST(ReplayScheme, NumbersAreNoWorkForTheCore) {
  const TemporaryFolder folder;
  expect_refused(
      folder, {"replay", kTinyGrpo, "--filter", kSlice, "--scheme", "rl_mxfp4_train_w4a16_rollout"},
      {"gemms.jsonl:", "operands none and q are no 4-bit GEMM", "--fidelity numeric"});
  const Report timing =
      replay({"--scheme", "rl_mxfp4_train_w4a16_rollout", "--fidelity", "timing"});
  EXPECT_GT(integer(timing.gemms()[0].as_object(), "cycles"), 0);
  EXPECT_EQ(integer(timing.gemms()[0].as_object(), "steps"), 0);
}

TEST(ReplayScheme, EveryBuiltInOneReplays) {
  for (const char* name :
       {"rl_mxfp4_mbs_fallback", "rl_mxfp4_mbs_fallback_noise", "nvfp4_pretraining",
        "fp4_all_the_way", "hif4_pretraining", "mxfp4_pretraining", "alto", "mi355x", "quartet",
        "hifloat4_simulation"}) {
    const Report report = replay(numeric({"--scheme", name}));
    EXPECT_GT(snr(report), 15.0) << name;
    EXPECT_EQ(report.configuration().at("scheme").as_object().at("name").as_string(), name);
  }
}

TEST(ReplayScheme, RandomNumbersFollowTheSeedAlone) {
  const Arguments scheme = numeric({"--scheme", "fp4_all_the_way"});
  const auto with = [&](Arguments more) {
    Arguments options = scheme;
    options.insert(options.end(), more.begin(), more.end());
    return snr(replay(options));
  };
  EXPECT_EQ(with({"--seed", "5", "--threads", "1"}), with({"--seed", "5", "--threads", "3"}));
  EXPECT_NE(with({"--seed", "5"}), with({"--seed", "6"}));
}

TEST(ReplayScheme, StochasticOperandsRunOnTheCoreAsPackedOnes) {
  const Report report = replay({"--scheme", "fp4_all_the_way"});
  EXPECT_EQ(integer(report.totals(), "mismatches"), 0);
  EXPECT_EQ(integer(report.totals(), "compared"), integer(report.totals(), "outputs"));
}

TEST(ReplayScheme, FilesAndContradictionsAreChecked) {
  const TemporaryFolder folder;
  const std::string file = (folder.path() / "scheme.json").string();
  std::ofstream(file) << R"({"name": "mine", "description": "d", "source": "s", "confidence": "A",
                             "treatments": {}, "rules": [{"a": "none", "b": "q"}]})";
  expect_refused(folder, {"replay", kTinyGrpo, "--scheme", file},
                 {"scheme.json", "rules[0].b", "no treatment of this scheme"});
  expect_refused(folder, {"replay", kTinyGrpo, "--scheme", "mine"},
                 {"--scheme", "neither a built-in scheme", "rl_w4a4_mxfp4"});
  expect_refused(folder, {"replay", kTinyGrpo, "--scheme", "alto", "--residual", "2:4"},
                 {"--scheme", "leave out"});
  expect_refused(folder, {"replay", kTinyGrpo, "--scheme", "alto", "--format", "hif4"},
                 {"--scheme", "leave out"});
}

TEST(ReplayCorrections, EachRaisesTheSignalToNoiseRatioOfMxfp4) {
  const double plain = snr(replay(numeric({})));
  EXPECT_GT(snr(replay(numeric({"--macro", "static"}))), plain);
  EXPECT_GT(snr(replay(numeric({"--macro", "dynamic"}))), plain);
  EXPECT_GT(snr(replay(numeric({"--fallback", "1", "--residual-scope", "all"}))), plain);
  EXPECT_GT(snr(replay(numeric({"--fallback-rate", "0.5", "--fallback-rows", "16",
                                "--fallback-channels", "64", "--residual-scope", "all"}))),
            plain);
  EXPECT_LT(snr(replay(numeric({"--noise", "0.05"}))), plain);
}

TEST(ReplayCorrections, FallbackOfEveryTileIsTheDenseResidual) {
  EXPECT_EQ(snr(replay(numeric({"--fallback-rate", "1"}))),
            snr(replay(numeric({"--residual", "dense"}))));
  EXPECT_EQ(snr(replay(numeric({"--fallback-theta", "1e30"}))), snr(replay(numeric({}))));
}

TEST(ReplayCorrections, PeersQuantizersReplayOnTheCoreAsPackedOperands) {
  for (const char* preset : {"ggml_mxfp4", "fpquant_mxfp4"}) {
    const Report report = replay({"--preset", preset});
    EXPECT_EQ(integer(report.totals(), "mismatches"), 0) << preset;
    EXPECT_EQ(integer(report.totals(), "quantized_blocks"), 0) << preset;
  }
  const TemporaryFolder folder;
  expect_refused(folder, {"replay", kTinyGrpo, "--preset", "ggml_mxfp4", "--online", "a"},
                 {"--online", "no circuit"});
}

TEST(ReplayCorrections, ContradictionsAreRefused) {
  const TemporaryFolder folder;
  expect_refused(folder, {"replay", kTinyGrpo, "--fallback", "0.5", "--residual", "2:4"},
                 {"--fallback"});
  expect_refused(folder, {"replay", kTinyGrpo, "--fallback", "half"},
                 {"--fallback", "not a number"});
  expect_refused(folder, {"replay", kTinyGrpo, "--hadamard", "48"}, {"--hadamard", "48"});
  expect_refused(folder, {"replay", kTinyGrpo, "--macro", "maybe"}, {"--macro", "hybrid"});
  expect_refused(
      folder,
      {"replay", kTinyGrpo, "--format", "nvfp4", "--macro", "static", "--fidelity", "numeric"},
      {"macro-block scaling", "nvfp4"});
  expect_refused(folder, {"replay", kTinyGrpo, "--fidelity", "timing", "--layer-measures"},
                 {"--layer-measures"});
}

TEST(ReplayLayers, TellRolloutFromTraining) {
  const Report report = replay(numeric({"--scheme", "rl_w4a4_hif4_resq", "--layer-measures"}));
  const json::object& layers = report.root().at("layers").as_object();
  const json::array& mismatches = layers.at("rollout_against_training").as_array();
  ASSERT_EQ(mismatches.size(), 1U);
  const json::object& mismatch = mismatches[0].as_object();
  EXPECT_EQ(mismatch.at("layer").as_string(), "layers.0.self_attn.k_proj");
  EXPECT_GT(integer(mismatch, "differing"), 0);
  EXPECT_GT(mismatch.at("relative_difference").as_double(), 0.0);
  const Report same = replay(numeric({"--layer-measures"}));
  const json::object& none =
      same.root().at("layers").as_object().at("rollout_against_training").as_array()[0].as_object();
  EXPECT_EQ(integer(none, "differing"), 0);
  EXPECT_EQ(none.at("relative_difference").as_double(), 0.0);
}

TEST(ReplayLayers, HeadsHaveATemperatureWhereTheyAreQuantized) {
  const TemporaryFolder folder;
  const std::string out = (folder.path() / "out").string();
  const ProgramRun run = run_program({"replay", kTinyGrpo, "-o", out, "--filter",
                                      "phase=rollout.prefill,layer=lm_head", "--quantize-all",
                                      "--fidelity", "numeric", "--layer-measures"});
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_THAT(run.out, HasSubstr("effective temperature"));
  const Report report(out);
  const json::array& heads = report.root().at("layers").as_object().at("heads").as_array();
  ASSERT_EQ(heads.size(), 1U);
  const double temperature = heads[0].as_object().at("temperature").as_double();
  EXPECT_GT(temperature, 1.0);
  EXPECT_LT(temperature, 1.1);
}

}  // namespace
}  // namespace nibblecore
