// SPDX-License-Identifier: Apache-2.0
#include <fstream>
#include <iterator>
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

int64_t sum_of(const json::object& object) {
  int64_t sum = 0;
  for (const auto& member : object) {
    sum += member.value().as_int64();
  }
  return sum;
}

const json::object& child(const json::object& object, std::string_view name) {
  return object.at(name).as_object();
}

std::string bytes_of(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

class ReplayStep : public testing::Test {
 protected:
  /// A trace of lines without operands.
  std::string trace(const std::string& lines) {
    std::filesystem::create_directory(folder.path() / "trace");
    folder.write("trace/gemms.jsonl", lines);
    return (folder.path() / "trace").string();
  }

  /// An energy table of these entries.
  std::string table(const std::string& entries) {
    folder.write("table.json", R"({"name":"mine","description":"a test","notes":[],"entries":{)" +
                                   entries + "}}");
    return (folder.path() / "table.json").string();
  }

  static std::string entry(const std::string& name, int femtojoules) {
    return "\"" + name + "\":{\"femtojoules\":" + std::to_string(femtojoules) +
           R"(,"confidence":"A","source":"a test"})";
  }

  /// Every entry that an MXFP4 step without corrections needs, all 0 but memory's.
  static std::string entries_of_mxfp4(int memory) {
    std::string entries = entry("memory_byte", memory);
    for (const char* const name : {"mxfp4_mac", "mxfp4_scale_product", "mxfp4_quantized_value",
                                   "bf16_mac", "addition", "l1_byte", "l0_byte", "l0c_byte"}) {
      entries += "," + entry(name, 0);
    }
    return entries;
  }

  TemporaryFolder folder;
};

TEST_F(ReplayStep, PhasesSumToTheStepAndTheStepToTheTotals) {
  const Report report =
      replay_report(kTinyGrpo, {"--fidelity", "timing", "--machine", "b200", "--residual", "2:4"});
  const json::object& step = report.section("step");
  EXPECT_EQ(integer(step, "ranks"), 1);
  EXPECT_EQ(integer(step, "cores"), 148);
  for (const char* const field : {"gemms", "macs", "cycles"}) {
    EXPECT_EQ(integer(step, field), integer(report.totals(), field)) << field;
  }
  EXPECT_EQ(step.at("seconds").as_double(),
            static_cast<double>(integer(step, "cycles")) / 1'850'000'000.0);
  EXPECT_EQ(integer(child(step, "work"), "mxfp4_dense_macs"),
            integer(report.totals(), "quantized_macs"));
  EXPECT_LT(integer(step, "roofline_cycles"), integer(step, "cycles"));
  EXPECT_GE(integer(step, "bf16_roofline_cycles"), integer(step, "bf16_cycles"));

  const json::array& phases = step.at("phases").as_array();
  std::vector<std::string> names;
  json::object sums;
  for (const json::value& value : phases) {
    const json::object& phase = value.as_object();
    names.emplace_back(phase.at("phase").as_string());
    EXPECT_EQ(sum_of(child(phase, "cycles_by_bound")), integer(phase, "cycles"));
    for (const char* const field :
         {"gemms", "macs", "cycles", "roofline_cycles", "bf16_cycles", "bf16_roofline_cycles"}) {
      sums[field] = (sums.contains(field) ? sums[field].as_int64() : 0) + integer(phase, field);
    }
    int64_t by_kind = 0;
    for (const auto& kind : child(phase, "by_gemm")) {
      by_kind += integer(kind.value().as_object(), "cycles");
    }
    EXPECT_EQ(by_kind, integer(phase, "cycles"));
    // The residual belongs to the rollout alone.
    const bool is_rollout = names.back().rfind("rollout", 0) == 0;
    EXPECT_EQ(child(phase, "work").contains("residual_values"), is_rollout) << names.back();
    // The head stays in BF16.
    EXPECT_GT(integer(child(phase, "cycles_by_bound"), "bf16"), 0);
    EXPECT_FALSE(phase.contains("energy"));
  }
  EXPECT_EQ(names,
            (std::vector<std::string>{"rollout.prefill", "rollout.decode", "logprob", "train"}));
  for (const auto& sum : sums) {
    EXPECT_EQ(integer(step, sum.key()), sum.value().as_int64()) << sum.key();
  }
}

TEST_F(ReplayStep, IsTheSameWhereTheCoreRunsAndWithAnyThreads) {
  const Arguments slice{"--filter", R"(layer=layers\.0)"};
  Arguments timing = slice;
  timing.insert(timing.end(), {"--fidelity", "timing"});
  EXPECT_EQ(replay_report(kTinyGrpo, slice).section("step"),
            replay_report(kTinyGrpo, timing).section("step"));
  for (const char* const threads : {"1", "3"}) {
    const ProgramRun run =
        run_program({"replay", kTinyGrpo, "--fidelity", "timing", "--machine", "ascend950pr",
                     "--threads", threads, "-o", (folder.path() / threads).string()});
    EXPECT_EQ(run.exit_code, 0);
  }
  EXPECT_EQ(bytes_of(folder.path() / "1" / "report.json"),
            bytes_of(folder.path() / "3" / "report.json"));
}

TEST_F(ReplayStep, GroupsDecodeStepsAndKeepsRecomputationApart) {
  const std::string shape = R"("M":64,"N":64,"K":64,"layer":"l","gemm":"fprop","quantize":true)";
  const std::string path =
      trace(R"({"id":0,"phase":"rollout.decode0",)" + shape + R"(,"rank":0})" + "\n" +
            R"({"id":1,"phase":"rollout.decode12","count":4,)" + shape + R"(,"rank":3})" + "\n" +
            R"({"id":2,"phase":"train.recompute",)" + shape + "}\n");
  const Report report = replay_report(path, {"--fidelity", "timing"});
  const json::array& phases = report.section("step").at("phases").as_array();
  ASSERT_EQ(phases.size(), 2U);
  EXPECT_EQ(phases[0].at("phase").as_string(), "rollout.decode");
  EXPECT_EQ(integer(phases[0].as_object(), "gemms"), 5);
  EXPECT_EQ(phases[1].at("phase").as_string(), "train.recompute");
  EXPECT_EQ(integer(report.section("step"), "ranks"), 2);
  const ProgramRun run = run_program({"replay", path, "--fidelity", "timing"});
  EXPECT_THAT(run.out, HasSubstr("those of 2 ranks added up"));
}

TEST_F(ReplayStep, PricesWorkByTheTable) {
  const Report report = replay_report(
      kTinyGrpo, {"--fidelity", "timing", "--energy", table(entries_of_mxfp4(1'000'000))});
  const json::object& step = report.section("step");
  const int64_t bytes = integer(child(step, "work"), "memory_loaded_bytes") +
                        integer(child(step, "work"), "memory_stored_bytes");
  const double expected = static_cast<double>(bytes * 1'000'000) / 1e15;
  EXPECT_EQ(child(step, "energy").at("joules").as_double(), expected);
  EXPECT_EQ(child(child(step, "energy"), "by_group").at("memory").as_double(), expected);
  EXPECT_EQ(child(child(step, "energy"), "by_group").at("l1").as_double(), 0.0);
  EXPECT_EQ(child(report.configuration(), "energy").at("name").as_string(), "mine");
}

TEST_F(ReplayStep, SaysNothingOfEnergyUnasked) {
  const ProgramRun run = run_program(
      {"replay", kTinyGrpo, "--fidelity", "timing", "-o", (folder.path() / "out").string()});
  EXPECT_THAT(run.out, HasSubstr("whole step on core16x16x64"));
  EXPECT_THAT(run.out, HasSubstr("the one rank"));
  EXPECT_THAT(run.out, Not(HasSubstr("joule")));
  EXPECT_THAT(bytes_of(folder.path() / "out" / "report.json"), Not(HasSubstr("joule")));
  EXPECT_THAT(
      run_program({"replay", kTinyGrpo, "--fidelity", "timing", "--energy", "jouppi7nm"}).out,
      HasSubstr("energy by table jouppi7nm"));
  EXPECT_THAT(run_program({"list", "energy"}).out, HasSubstr("horowitz45nm: "));
}

TEST_F(ReplayStep, NumericReplaysHaveNoStep) {
  const Report report = replay_report(
      kTinyGrpo, {"--fidelity", "numeric", "--filter", R"(phase=logprob,layer=layers\.0)"});
  EXPECT_FALSE(report.root().contains("step"));
}

TEST_F(ReplayStep, WhatHasNoPriceIsRefused) {
  const auto refused = [&](const Arguments& options, const std::vector<std::string>& fragments) {
    Arguments arguments{"replay", kTinyGrpo};
    arguments.insert(arguments.end(), options.begin(), options.end());
    expect_refused(folder, arguments, fragments);
  };
  const std::string mxfp4 = table(entries_of_mxfp4(1));
  refused({"--fidelity", "timing", "--format", "hif4", "--energy", mxfp4},
          {"energy table mine", "\"hif4_mac\" is missing", "hif4_dense_macs"});
  refused({"--fidelity", "timing", "--residual", "2:4", "--energy", mxfp4},
          {"\"residual_value\" is missing"});
  refused({"--fidelity", "timing", "--energy", "nowhere"}, {"--energy", "nor a file"});
  refused({"--fidelity", "numeric", "--energy", "jouppi7nm"}, {"--energy", "numeric"});
  refused({"--fidelity", "timing", "--energy", table(R"("watts":{})")},
          {"table.json", "entries.watts"});
}

}  // namespace
}  // namespace nibblecore
