// SPDX-License-Identifier: Apache-2.0
// Replays of a residual on the SystemC core: bits, steps and cycles of both builds and orders.
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <string>

#include <boost/json/parse.hpp>
#include <gtest/gtest.h>

#include "tests/system/support/program.hpp"
#include "tests/system/support/report.hpp"
#include "tests/unit/trace/temporary_folder.hpp"

namespace nibblecore {
namespace {

namespace json = boost::json;

constexpr const char* kTinyGrpo = NIBBLECORE_TEST_DATA "/tiny_grpo";
// 32 x 128 x 128 three times in decoding, and 56, 320 rows; dgrad and wgrad.
constexpr const char* kSlice = R"(layer=layers\.0\.self_attn\.q_proj)";

Report replay(const Arguments& options) {
  const TemporaryFolder folder;
  const std::string out = (folder.path() / "out").string();
  Arguments arguments{"replay", kTinyGrpo,          "-o", out, "--filter",
                      kSlice,   "--residual-scope", "all"};
  arguments.insert(arguments.end(), options.begin(), options.end());
  const ProgramRun run = run_program(arguments);
  EXPECT_EQ(run.exit_code, 0) << run.err << run.out;
  return Report(out);
}

class ReplayCoreResidual : public testing::TestWithParam<const char*> {};

TEST_P(ReplayCoreResidual, BothBuildsAndOrdersHaveTheGoldenBits) {
  for (const char* const pattern : {"2:4", "dense", "channel-50", "block-32x64-50"}) {
    for (const char* const build : {"serial", "parallel"}) {
      for (const char* const order : {"interleaved", "appended"}) {
        const Arguments options{"--format",         GetParam(), "--residual",       pattern,
                                "--residual-build", build,      "--residual-order", order};
        SCOPED_TRACE(std::string(pattern) + " " + build + " " + order);
        const Report report = replay(options);
        EXPECT_EQ(integer(report.totals(), "mismatches"), 0);
        EXPECT_EQ(integer(report.totals(), "emulator_mismatches"), 0);
        EXPECT_GT(integer(report.totals(), "compared"), 0);
        EXPECT_EQ(integer(report.totals(), "compared"), integer(report.totals(), "outputs"));
      }
    }
  }
}

TEST_P(ReplayCoreResidual, StepsAreThoseOfTheBuild) {
  const auto kinds = [](const char* pattern, const char* build, const char* order) {
    const Report report = replay({"--format", GetParam(), "--fidelity", "timing", "--residual",
                                  pattern, "--residual-build", build, "--residual-order", order});
    // The first decoding step, 32 x 128 x 128: 16 tiles, 2 steps along K.
    std::map<std::string, int64_t> found;
    for (const json::value& value : report.gemms()) {
      const json::object& gemm = value.as_object();
      if (gemm.at("phase").as_string() == "rollout.decode0") {
        for (const auto& kind : gemm.at("steps_by_kind").as_object()) {
          if (kind.value().as_int64() != 0) {
            found[std::string(kind.key())] = kind.value().as_int64();
          }
        }
      }
    }
    return found;
  };
  using Kinds = std::map<std::string, int64_t>;
  EXPECT_EQ(kinds("none", "serial", "interleaved"), (Kinds{{"dense", 32}}));
  EXPECT_EQ(kinds("2:4", "serial", "interleaved"), (Kinds{{"dense", 32}, {"sparse", 16}}));
  EXPECT_EQ(kinds("2:4", "serial", "appended"), (Kinds{{"dense", 32}, {"sparse", 16}}));
  EXPECT_EQ(kinds("2:4", "parallel", "interleaved"), (Kinds{{"dense_and_sparse", 32}}));
  EXPECT_EQ(kinds("2:4", "parallel", "appended"), (Kinds{{"dense", 32}, {"sparse_beside", 32}}));
  EXPECT_EQ(kinds("dense", "serial", "interleaved"), (Kinds{{"dense", 32}, {"residual", 32}}));
}

INSTANTIATE_TEST_SUITE_P(Formats, ReplayCoreResidual, testing::Values("mxfp4", "hif4", "nvfp4"),
                         [](const auto& instance) { return std::string(instance.param); });

TEST(ReplayCoreResidualSums, CoveredGemmsAreTotalledApart) {
  const TemporaryFolder folder;
  const std::string out = (folder.path() / "out").string();
  const ProgramRun run = run_program({"replay", kTinyGrpo, "-o", out, "--filter", kSlice,
                                      "--residual", "2:4", "--residual-scope", "rollout"});
  ASSERT_EQ(run.exit_code, 0) << run.err;
  EXPECT_NE(run.out.find("with residual"), std::string::npos);
  EXPECT_NE(run.out.find("2.67"), std::string::npos);
  std::ifstream file(std::filesystem::path(out) / "report.json");
  const json::value root = json::parse(std::string(std::istreambuf_iterator<char>(file), {}));
  std::map<std::string, int64_t> cycles;
  for (const json::value& sum : root.at("sums").as_array()) {
    if (sum.as_object().contains("residual")) {
      cycles[std::string(sum.at("residual").as_string())] = sum.at("cycles").as_int64();
    }
  }
  std::map<std::string, int64_t> expected;
  for (const json::value& gemm : root.at("gemms").as_array()) {
    expected[gemm.at("residual").as_bool() ? "with residual" : "without residual"] +=
        gemm.at("cycles").as_int64();
  }
  EXPECT_EQ(expected.size(), 2U);
  EXPECT_EQ(cycles, expected);
}

}  // namespace
}  // namespace nibblecore
