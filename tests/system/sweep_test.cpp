// SPDX-License-Identifier: Apache-2.0
#include <optional>
#include <string>
#include <vector>

#include <boost/json.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/system/support/program.hpp"
#include "tests/system/support/report.hpp"
#include "tests/system/support/sweep_report.hpp"
#include "tests/unit/trace/temporary_folder.hpp"

namespace nibblecore {
namespace {

using testing::HasSubstr;
using testing::Not;

namespace json = boost::json;

constexpr const char* kTrace = NIBBLECORE_TEST_DATA "/tiny_grpo";
/// Eight GEMMs in rollout, log-probabilities and training.
constexpr const char* kFilter = "layer=layers.0.self_attn.k_proj";

/// Sweeps of a few GEMMs of the bundled trace.
class Sweep : public testing::Test {
 protected:
  std::string path(const std::string& name) const { return (folder.path() / name).string(); }

  std::string sweep(const Arguments& options) const {
    Arguments arguments{"sweep", kTrace, "--filter", kFilter};
    arguments.insert(arguments.end(), options.begin(), options.end());
    const ProgramRun run = run_program(arguments);
    EXPECT_EQ(run.exit_code, 0) << run.err;
    EXPECT_EQ(run.err, "");
    return run.out;
  }

  SweepReport report_of(Arguments options) const {
    options.insert(options.end(), {"--json", path("json")});
    sweep(options);
    return SweepReport(path("json"));
  }

  /// Totals of a replay of the same GEMMs, or nothing where the replay refuses.
  std::optional<json::object> replay(const std::string& fidelity, const Arguments& options) const {
    Arguments arguments{"replay",     kTrace,   "--filter", kFilter,
                        "--fidelity", fidelity, "-o",       path(fidelity)};
    arguments.insert(arguments.end(), options.begin(), options.end());
    const ProgramRun run = run_program(arguments);
    if (run.exit_code != 0) {
      return std::nullopt;
    }
    return Report(path(fidelity)).totals();
  }

  /// Expects of a row what the replay of these options gives, cycles included.
  void expect_replayed(const json::object& row, const Arguments& options) const {
    const auto values = replay("numeric", options);
    ASSERT_TRUE(values);
    for (const char* const name : {"snr_db", "gain", "cosine"}) {
      EXPECT_EQ(number(row, name), number(*values, name)) << name;
    }
    for (const std::string operand : {"a", "b"}) {
      const json::object& figures = values->at(operand).as_object();
      EXPECT_EQ(number(row, operand + "_gain"), number(figures, "gain"));
      EXPECT_EQ(number(row, operand + "_cosine"), number(figures, "cosine"));
      EXPECT_EQ(number(row, operand + "_underflow"), number(figures, "underflow_share"));
      EXPECT_EQ(number(row, operand + "_saturation"), number(figures, "saturation_share"));
    }
    const auto timed = replay("timing", options);
    EXPECT_EQ(row.at("cycles").is_null(), !timed);
    EXPECT_EQ(row.at("cycles_note").is_null(), timed.has_value());
    if (timed) {
      EXPECT_EQ(row.at("cycles"), timed->at("cycles"));
    }
  }

  TemporaryFolder folder;
};

TEST_F(Sweep, RowsAreTheReplaysOfTheirOptions) {
  const SweepReport report =
      report_of({"--formats", "hif4", "--corrections",
                 "none,mbs-hybrid-64+hadamard-32,fallback-0.5,fallback-rate-0.3,sr", "--residuals",
                 "none,2:4", "--residual-scope", "fprop", "--seed", "7"});
  EXPECT_EQ(report.rows().size(), 8U);
  EXPECT_EQ(report.skipped().size(), 2U);
  const Arguments base{"--format", "hif4", "--residual-scope", "fprop", "--seed", "7"};
  const auto expect = [&](const std::string& correction, const std::string& residual,
                          Arguments more) {
    SCOPED_TRACE(correction + " " + residual);
    more.insert(more.end(), base.begin(), base.end());
    expect_replayed(report.row(correction, residual), more);
  };
  expect("none", "none", {});
  expect("none", "2:4", {"--residual", "2:4"});
  expect("mbs-hybrid-64+hadamard-32", "2:4",
         {"--macro", "hybrid", "--macro-length", "64", "--hadamard", "32", "--residual", "2:4"});
  expect("fallback-0.5", "none", {"--fallback", "0.5"});
  expect("fallback-rate-0.3", "none", {"--fallback-rate", "0.3"});
}

TEST_F(Sweep, StochasticRoundingAndSquareBlocks) {
  const SweepReport report =
      report_of({"--formats", "mxfp4", "--corrections", "sr,square", "--seed", "3"});
  expect_replayed(report.row("sr", "none"),
                  {"--scale-rule", "rceil", "--rounding", "stochastic", "--seed", "3"});
  expect_replayed(report.row("square", "none"), {"--weight-blocks", "square", "--seed", "3"});
}

TEST_F(Sweep, PartsAreTheirPhases) {
  const SweepReport report = report_of({"--formats", "mxfp4", "--residuals", "2:4"});
  const json::object& row = report.row(0);
  EXPECT_EQ(integer(row, "gemms"), 8);
  EXPECT_EQ(integer(row, "rollout_gemms"), 4);
  EXPECT_EQ(integer(row, "logprob_gemms"), 1);
  EXPECT_EQ(integer(row, "train_gemms"), 3);
  EXPECT_EQ(integer(row, "cycles"), integer(row, "rollout_cycles") +
                                        integer(row, "logprob_cycles") +
                                        integer(row, "train_cycles"));
  const ProgramRun rollout =
      run_program({"sweep", kTrace, "--filter", std::string("phase=rollout,") + kFilter,
                   "--formats", "mxfp4", "--residuals", "2:4", "--json", path("rollout")});
  ASSERT_EQ(rollout.exit_code, 0) << rollout.err;
  const SweepReport alone(path("rollout"));
  for (const std::string name : {"gemms", "snr_db", "relative_error", "gain", "cosine", "a_gain",
                                 "b_cosine", "a_underflow", "b_saturation", "cycles"}) {
    EXPECT_EQ(row.at("rollout_" + name), alone.row(0).at(name)) << name;
    EXPECT_EQ(row.at("rollout_" + name), alone.row(0).at("rollout_" + name)) << name;
  }
  EXPECT_GT(number(row, "rollout_snr_db"), number(row, "train_snr_db") + 1);
}

TEST_F(Sweep, StorageAndWorkByHand) {
  const SweepReport report = report_of({"--formats", "mxfp4", "--corrections", "none,mbs-hybrid-32",
                                        "--residuals", "none,2:4", "--residual-scope", "all"});
  const auto expect = [&](const char* correction, const char* residual, double a, double b) {
    EXPECT_EQ(number(report.row(correction, residual), "a_bits_per_value"), a);
    EXPECT_EQ(number(report.row(correction, residual), "b_bits_per_value"), b);
  };
  // K is 128, 64 and 320: whole blocks of 32.
  expect("none", "none", 4.25, 4.25);
  expect("none", "2:4", 4.25 + 3.25, 4.25);
  EXPECT_EQ(number(report.row("none", "none"), "macs_per_mac"), 1);
  EXPECT_EQ(number(report.row("none", "2:4"), "macs_per_mac"), 1.5);
  const json::object& hybrid = report.row("mbs-hybrid-32", "none");
  EXPECT_EQ(number(hybrid, "a_bits_per_value"), 4.25 + 8.0 / 32);
  EXPECT_EQ(text(hybrid, "a_factor_bits"), "8");
  // B: weights [64, 128] in seven GEMMs fprop and dgrad, static activations [128, 320] in wgrad.
  EXPECT_EQ(text(hybrid, "b_factor_bits"), "8/16");
  const double weights = 7 * 64 * 128;
  const double activations = 128 * 320;
  EXPECT_NEAR(number(hybrid, "b_bits_per_value"),
              4.25 + (weights * 16 + activations * 8) / 32 / (weights + activations), 5e-7);
}

TEST_F(Sweep, WhatTheCoreCannotDoHasNoCycles) {
  std::string machine =
      read_bytes(NIBBLECORE_SOURCE_DIR "/model/machine/machines/core16x16x64.json");
  const std::string depth = R"("depth": {"value": 64)";
  const size_t position = machine.find(depth);
  ASSERT_NE(position, std::string::npos);
  machine.replace(position, depth.size(), R"("depth": {"value": 32)");
  folder.write("machine", machine);
  const SweepReport report = report_of({"--formats", "mxfp4,hif4", "--machine", path("machine")});
  EXPECT_TRUE(report.row(0).at("cycles").is_int64());
  EXPECT_TRUE(report.row(0).at("cycles_note").is_null());
  EXPECT_TRUE(report.row(1).at("cycles").is_null());
  EXPECT_TRUE(report.row(1).at("rollout_cycles").is_null());
  EXPECT_THAT(text(report.row(1), "cycles_note"), HasSubstr("depth 32"));
  EXPECT_GT(number(report.row(1), "snr_db"), 20);
}

TEST_F(Sweep, RefusedCombinationsAreListedWithTheReason) {
  const Arguments options{"--corrections", "none,mbs-static,fallback-1",
                          "--residuals",   "none,2:4",
                          "--formats",     "mxfp4,nvfp4"};
  const SweepReport report = report_of(options);
  EXPECT_EQ(report.rows().size(), 8U);
  ASSERT_EQ(report.skipped().size(), 4U);
  const json::object& fallback = report.skipped().at(0).as_object();
  EXPECT_EQ(text(fallback, "correction"), "fallback-1");
  EXPECT_EQ(text(fallback, "residual"), "2:4");
  EXPECT_THAT(text(fallback, "reason"), HasSubstr("the fallback says"));
  const json::object& macro = report.skipped().at(1).as_object();
  EXPECT_EQ(text(macro, "format"), "nvfp4");
  EXPECT_EQ(text(macro, "correction"), "mbs-static");
  EXPECT_THAT(text(macro, "reason"), HasSubstr("nvfp4"));
  EXPECT_THAT(sweep(options), HasSubstr("\nskipped: nvfp4 te_nvfp4, corrections mbs-static, "));
}

TEST_F(Sweep, TheFrontIsOfRowsThatNoOtherBeats) {
  const Arguments options{"--corrections", "none,square", "--residuals", "none,2:4,dense"};
  const SweepReport report = report_of(options);
  int marked = 0;
  int free_of_choice = 0;
  for (const json::value& one : report.rows()) {
    bool is_beaten = false;
    for (const json::value& other : report.rows()) {
      if (one.at("cycles").is_null() || other.at("cycles").is_null()) {
        continue;
      }
      const auto cycles = other.at("cycles").as_int64() - one.at("cycles").as_int64();
      const double decibels =
          other.at("snr_db").to_number<double>() - one.at("snr_db").to_number<double>();
      is_beaten = is_beaten || (cycles <= 0 && decibels >= 0 && (cycles < 0 || decibels > 0));
    }
    if (!one.at("cycles").is_null()) {
      EXPECT_EQ(one.at("pareto").as_bool(), !is_beaten);
      marked += one.at("pareto").as_bool() ? 1 : 0;
      ++free_of_choice;
    }
  }
  EXPECT_GE(marked, 2);
  EXPECT_LT(marked, free_of_choice);
  EXPECT_THAT(sweep(options), HasSubstr("\nPareto front, SNR against cycles:\n"));
}

TEST_F(Sweep, SchemesAreRowsOfTheirOwn) {
  const SweepReport report = report_of(
      {"--formats", "mxfp4", "--schemes", "rl_w4a4_mxfp4,rl_w4a4_mxfp4_resq,hifloat4_simulation"});
  ASSERT_EQ(report.rows().size(), 4U);
  EXPECT_TRUE(report.row(0).at("scheme").is_null());
  EXPECT_EQ(text(report.row(1), "scheme"), "rl_w4a4_mxfp4");
  EXPECT_TRUE(report.row(1).at("format").is_null());
  for (const char* const name : {"snr_db", "cycles", "a_bits_per_value", "b_cosine"}) {
    EXPECT_EQ(report.row(0).at(name), report.row(1).at(name)) << name;
  }
  EXPECT_GT(number(report.row(2), "rollout_snr_db"), number(report.row(1), "rollout_snr_db"));
  EXPECT_GT(number(report.row(2), "macs_per_mac"), 1);
  EXPECT_EQ(number(report.row(3), "a_bits_per_value"), 4.5);
}

TEST_F(Sweep, SameRunSameBytesOnAnyThreads) {
  const Arguments options{"--formats", "mxfp4", "--corrections", "none,sr+mbs-dynamic"};
  const auto run = [&](const std::string& name, const std::string& threads) {
    Arguments arguments = options;
    arguments.insert(arguments.end(), {"--threads", threads, "--json", path(name + ".json"),
                                       "--csv", path(name + ".csv")});
    return sweep(arguments);
  };
  EXPECT_EQ(run("one", "1"), run("three", "3"));
  EXPECT_EQ(read_bytes(path("one.json")), read_bytes(path("three.json")));
  EXPECT_EQ(read_bytes(path("one.csv")), read_bytes(path("three.csv")));
  EXPECT_THAT(read_bytes(path("one.json")), Not(HasSubstr("nan")));
}

TEST_F(Sweep, CsvHasTheFiguresOfJson) {
  sweep({"--formats", "mxfp4,hif4", "--corrections", "none,mbs-static", "--csv", path("csv"),
         "--json", path("json")});
  const SweepReport report(path("json"));
  const auto lines = read_csv(path("csv"));
  ASSERT_EQ(lines.size(), 5U);
  for (size_t i = 1; i < lines.size(); ++i) {
    const json::object& row = report.row(i - 1);
    ASSERT_EQ(lines[i].size(), row.size());
    size_t column = 0;
    for (const auto& member : row) {
      EXPECT_EQ(lines[0][column], member.key());
      const std::string cell = lines[i][column++];
      if (member.value().is_null()) {
        EXPECT_EQ(cell, "");
      } else if (member.value().is_string()) {
        EXPECT_EQ(cell, std::string(member.value().as_string()));
      } else {
        EXPECT_EQ(cell, json::serialize(member.value()));
      }
    }
  }
}

}  // namespace
}  // namespace nibblecore
