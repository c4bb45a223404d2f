// SPDX-License-Identifier: Apache-2.0
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
using testing::Not;

constexpr const char* kTinyGrpo = NIBBLECORE_TEST_DATA "/tiny_grpo";
// Fprop of rollout and training, dgrad and wgrad of one layer: 0 and the train phase's own.
constexpr const char* kSlice = R"(layer=layers\.0\.self_attn\.k_proj)";

/// The report of a replay of the slice.
Report replay(Arguments options) {
  options.insert(options.end(), {"--filter", kSlice});
  return replay_report(kTinyGrpo, options);
}

double snr(const json::object& object) { return object.at("snr_db").as_double(); }

TEST(ReplayNumeric, HasTheValuesOfTheCoreButNoCycles) {
  for (const char* const format : {"mxfp4", "hif4", "nvfp4"}) {
    const Report cycle = replay({"--format", format});
    const Report numeric = replay({"--format", format, "--fidelity", "numeric"});
    ASSERT_EQ(cycle.gemms().size(), numeric.gemms().size());
    for (size_t i = 0; i < cycle.gemms().size(); ++i) {
      const json::object& expected = cycle.gemms()[i].as_object();
      const json::object& found = numeric.gemms()[i].as_object();
      EXPECT_EQ(found.at("snr_db"), expected.at("snr_db"));
      EXPECT_EQ(found.at("qdq_ulp"), expected.at("qdq_ulp"));
      EXPECT_EQ(found.at("a"), expected.at("a"));
      EXPECT_EQ(integer(found, "outputs"), integer(expected, "outputs"));
      EXPECT_EQ(integer(found, "cycles"), 0);
      EXPECT_EQ(integer(found, "steps"), 0);
    }
  }
}

TEST(ReplayNumeric, DoesNotClaimThatHardwareAgreed) {
  const ProgramRun run =
      run_program({"replay", kTinyGrpo, "--filter", kSlice, "--fidelity", "numeric"});
  EXPECT_EQ(run.exit_code, 0);
  EXPECT_THAT(run.out, Not(HasSubstr("hardware bits")));
  EXPECT_THAT(run.out, HasSubstr("computed by the emulator"));
}

TEST(ReplayResidual, ScopeDecidesWhichGemmsGetOne) {
  const auto covered = [](const char* scope) {
    const Report report =
        replay({"--fidelity", "numeric", "--residual", "2:4", "--residual-scope", scope});
    std::string kinds;
    for (const json::value& value : report.gemms()) {
      const json::object& gemm = value.as_object();
      kinds += gemm.at("residual").as_bool() ? '1' : '0';
    }
    return kinds;
  };
  // Prefill, three decode steps, log-probabilities, and fprop, dgrad, wgrad of training.
  EXPECT_EQ(covered("rollout"), "11110000");
  EXPECT_EQ(covered("fprop"), "11111100");
  EXPECT_EQ(covered("all"), "11111111");
}

TEST(ReplayResidual, EachPatternBringsTheResultNearer) {
  for (const char* const format : {"mxfp4", "hif4", "nvfp4"}) {
    const auto ratio = [format](const char* pattern) {
      return snr(replay({"--format", format, "--fidelity", "numeric", "--residual", pattern,
                         "--residual-scope", "all"})
                     .totals());
    };
    const double none = ratio("none");
    const double dense = ratio("dense");
    for (const char* const pattern : {"2:4", "channel-50", "block-32x64-50"}) {
      EXPECT_GT(ratio(pattern), none) << format << ' ' << pattern;
      EXPECT_LT(ratio(pattern), dense) << format << ' ' << pattern;
    }
  }
}

TEST(ReplayResidual, TheReportNamesTheChoice) {
  const Report report =
      replay({"--fidelity", "numeric", "--residual", "dense", "--residual-build", "parallel",
              "--residual-order", "appended", "--residual-scope", "fprop"});
  const json::object& configuration = report.section("configuration");
  EXPECT_EQ(configuration.at("residual").as_string(), "dense");
  EXPECT_EQ(configuration.at("residual_build").as_string(), "parallel");
  EXPECT_EQ(configuration.at("residual_order").as_string(), "appended");
  EXPECT_EQ(configuration.at("residual_scope").as_string(), "fprop");
}

TEST(ReplayResidual, WhatDoesNotGoTogetherIsRefused) {
  const TemporaryFolder folder;
  const std::string out = (folder.path() / "out").string();
  const auto refused = [&](const std::vector<std::string>& fragments, const Arguments& options) {
    Arguments arguments{"replay", kTinyGrpo, "-o", out};
    arguments.insert(arguments.end(), options.begin(), options.end());
    expect_refused(folder, arguments, fragments);
  };
  refused({"--residual", "--online"}, {"--residual", "2:4", "--online", "none"});
  refused({"--vcd", "cycle"},
          {"--fidelity", "numeric", "--vcd", (folder.path() / "w.vcd").string()});
  refused({"--residual", "3:4", "block-32x64-50"}, {"--residual", "3:4"});
  refused({"--residual-build", "'both'"}, {"--residual-build", "both"});
  refused({"--residual-order", "'mixed'"}, {"--residual-order", "mixed"});
  refused({"--residual-scope", "'train'"}, {"--residual-scope", "train"});
}

}  // namespace
}  // namespace nibblecore
