// SPDX-License-Identifier: Apache-2.0
// The numerical effect of a fault in the core on a replayed GEMM.
#include <algorithm>
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
// 32 x 128 x 128.
constexpr const char* kSlice = R"(phase=rollout.decode0,layer=layers\.0\.self_attn\.q_proj)";

class ReplayFault : public testing::Test {
 protected:
  /// The report's account of the fault; the replay's own bits stay equal.
  json::object replay(const std::string& fault) {
    const std::string out = (folder.path() / "out").string();
    run = run_program({"replay", kTinyGrpo, "-o", out, "--filter", kSlice, "--fault", fault});
    EXPECT_EQ(run.exit_code, 0) << run.err << run.out;
    const Report report(out);
    EXPECT_EQ(integer(report.totals(), "mismatches"), 0);
    EXPECT_EQ(report.section("configuration").at("fault").as_string(), fault);
    return report.gemms()[0].as_object().at("fault").as_object();
  }

  TemporaryFolder folder;
  ProgramRun run;
};

TEST_F(ReplayFault, AStuckElementSignChangesItsRowsOnly) {
  // Element 0 of lane 0: rows 0 and 16, every column, at most.
  const json::object effect = replay("a.code:0:3:stuck_at_1");
  EXPECT_GT(integer(effect, "changed_values"), 0);
  EXPECT_GT(integer(effect, "changed_outputs"), 0);
  EXPECT_LE(integer(effect, "changed_outputs"), 2 * 128);
  EXPECT_GT(effect.at("snr_db").as_double(), 0.0);
  EXPECT_THAT(run.out, HasSubstr("fault a.code:0:3:stuck_at_1"));
}

TEST_F(ReplayFault, ATransientFlipOfASignChangesAtMostOneTilesRow) {
  // The first step is under way well before cycle 400; flips before it meet nothing.
  const json::object early = replay("a.code:0:3:flip@3");
  EXPECT_EQ(integer(early, "changed_outputs"), 0);
  EXPECT_TRUE(early.at("snr_db").is_null());
  int64_t largest = 0;
  for (int cycle = 100; cycle < 200; ++cycle) {
    const json::object effect = replay("adder.result:0:31:flip@" + std::to_string(cycle));
    largest = std::max(largest, integer(effect, "changed_outputs"));
    EXPECT_LE(integer(effect, "changed_outputs"), 1);
    if (largest == 1) {
      break;
    }
  }
  EXPECT_EQ(largest, 1);
}

TEST_F(ReplayFault, WhatIsNoFaultIsRefused) {
  const auto refused = [&](const std::string& fault, const Arguments& options,
                           const std::string& fragment) {
    Arguments arguments{"replay", kTinyGrpo, "--filter", kSlice, "--fault", fault};
    arguments.insert(arguments.end(), options.begin(), options.end());
    expect_refused(folder, arguments, {"--fault", fragment});
  };
  refused("a.cod:0:0:stuck_at_0", {}, "a.cod");
  refused("a.code:0:4:stuck_at_0", {}, "4");
  refused("a.code:1024:0:stuck_at_0", {}, "1024");
  refused("a.code:0:0:flip", {}, "cycle");
  refused("unit_sum:0:0:stuck_at_0", {"--format", "mxfp4"}, "unit_sum");
  refused("a.code:0:0:stuck_at_0", {"--fidelity", "timing"}, "cycle");
}

}  // namespace
}  // namespace nibblecore
