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

class ReplayTiming : public testing::Test {
 protected:
  TemporaryFolder folder;
};

TEST_F(ReplayTiming, HasTheCyclesOfTheCoreButNoValues) {
  const Arguments slice{"--format", "hif4", "--filter", R"(layer=layers\.0|lm_head)"};
  Arguments with_timing = slice;
  with_timing.insert(with_timing.end(), {"--fidelity", "timing"});
  const Report cycle = replay_report(kTinyGrpo, slice);
  const Report timing = replay_report(kTinyGrpo, with_timing);
  ASSERT_EQ(cycle.gemms().size(), timing.gemms().size());
  for (size_t i = 0; i < cycle.gemms().size(); ++i) {
    const json::object& expected = cycle.gemms()[i].as_object();
    const json::object& found = timing.gemms()[i].as_object();
    for (const char* const field :
         {"steps", "steps_by_kind", "cycles", "cycles_by_cause", "units", "loaded_bytes",
          "stored_bytes", "quantized_blocks", "bf16_cycles", "utilisation", "macs", "quantized"}) {
      EXPECT_EQ(found.at(field), expected.at(field)) << field;
    }
    EXPECT_EQ(integer(found, "outputs"), 0);
    EXPECT_EQ(integer(found, "mismatches"), 0);
    EXPECT_TRUE(found.at("snr_db").is_null());
  }
  EXPECT_EQ(timing.totals().at("cycles"), cycle.totals().at("cycles"));
}

TEST_F(ReplayTiming, NeedsNoOperands) {
  std::filesystem::create_directory(folder.path() / "trace");
  folder.write("trace/gemms.jsonl",
               R"({"id":0,"phase":"train","layer":"l","gemm":"fprop","M":4096,"N":4096,"K":4096,)"
               R"("batch":2,"count":3,"quantize":true})"
               "\n");
  const std::string trace = (folder.path() / "trace").string();
  const Report report = replay_report(trace, {"--fidelity", "timing"});
  EXPECT_EQ(integer(report.gemm(0), "steps"), 2 * 4'194'304);
  const int64_t cycles = integer(report.gemm(0), "cycles");
  EXPECT_GT(cycles, 2 * 4'194'304);
  EXPECT_LT(cycles, 2 * 4'194'304 / 100 * 105);  // the array waits for little at this size
  EXPECT_EQ(integer(report.totals(), "cycles"), 3 * cycles);

  for (const char* const fidelity : {"cycle", "sampled", "numeric"}) {
    const ProgramRun run = run_program({"replay", trace, "--fidelity", fidelity});
    EXPECT_EQ(run.exit_code, 2);
    EXPECT_THAT(run.err, HasSubstr("gemms.jsonl:1"));
    EXPECT_THAT(run.err, HasSubstr("no operands"));
  }
}

TEST_F(ReplayTiming, SaysThatNoValuesWereComputed) {
  const ProgramRun run = run_program({"replay", kTinyGrpo, "--fidelity", "timing"});
  EXPECT_EQ(run.exit_code, 0);
  EXPECT_THAT(run.out, HasSubstr("no values were computed"));
  EXPECT_THAT(run.out, Not(HasSubstr("hardware bits")));
}

TEST_F(ReplayTiming, WhatTheModelHasNotIsRefused) {
  const auto refused = [&](const Arguments& options, const std::string& fragment) {
    Arguments arguments{"replay", kTinyGrpo, "--fidelity", "timing"};
    arguments.insert(arguments.end(), options.begin(), options.end());
    expect_refused(folder, arguments, {fragment});
  };
  refused({"--residual", "2:4", "--online", "b"}, "--online");
  refused({"--timeline", (folder.path() / "t.json").string()}, "--timeline");
  refused({"--accumulate", "exact"}, "fp32-rne");
  refused({"--vcd", (folder.path() / "w.vcd").string()}, "--vcd");
}

}  // namespace
}  // namespace nibblecore
