// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/system/support/expect_refused.hpp"
#include "tests/system/support/program.hpp"

namespace nibblecore {
namespace {

using testing::ContainsRegex;
using testing::HasSubstr;

constexpr std::array<const char*, 9> kSubcommands{
    "quantize", "decompose", "mma", "replay", "sweep", "cover", "faults", "claims", "list"};

TEST(CommandLine, HelpOfTheProgramNamesEverySubcommand) {
  const ProgramRun run = run_program({"--help"});
  EXPECT_EQ(run.exit_code, 0);
  EXPECT_EQ(run.err, "");
  for (const char* const name : kSubcommands) {
    EXPECT_THAT(run.out, HasSubstr(std::string("\n  ") + name));
  }
}

TEST(CommandLine, Version) {
  const ProgramRun run = run_program({"--version"});
  EXPECT_EQ(run.exit_code, 0);
  EXPECT_EQ(run.err, "");
  EXPECT_EQ(run.out, NIBBLECORE_VERSION "\n");
}

class Subcommand : public testing::TestWithParam<const char*> {};

TEST_P(Subcommand, Help) {
  const ProgramRun run = run_program({GetParam(), "--help"});
  EXPECT_EQ(run.exit_code, 0);
  EXPECT_EQ(run.err, "");
  EXPECT_THAT(run.out, HasSubstr(GetParam()));
  EXPECT_THAT(run.out, HasSubstr("--help"));
}

TEST_P(Subcommand, Version) {
  const ProgramRun run = run_program({GetParam(), "--version"});
  EXPECT_EQ(run.exit_code, 0);
  EXPECT_EQ(run.err, "");
  EXPECT_EQ(run.out, NIBBLECORE_VERSION "\n");
}

TEST_P(Subcommand, UnknownOption) {
  const TemporaryFolder folder;
  expect_refused(folder, {GetParam(), "formats", "-o", (folder.path() / "out").string(), "--nope"},
                 {"--nope"});
}

INSTANTIATE_TEST_SUITE_P(All, Subcommand, testing::ValuesIn(kSubcommands),
                         [](const testing::TestParamInfo<const char*>& test) {
                           return std::string(test.param);
                         });

TEST(CommandLine, ArgumentsThatAreMissing) {
  const TemporaryFolder folder;
  for (const char* const name : {"quantize", "decompose", "mma", "replay", "sweep", "list"}) {
    expect_refused(folder, {name}, {"required"});
  }
}

TEST(CommandLine, OutputIsRequired) {
  const TemporaryFolder folder;
  for (const char* const name : {"quantize", "mma"}) {
    expect_refused(folder, {name, "in"}, {"--output"});
  }
}

TEST(CommandLine, NoSubcommand) {
  const TemporaryFolder folder;
  expect_refused(folder, {}, {"subcommand"});
  expect_refused(folder, {"multiply"}, {"multiply"});
  expect_refused(folder, {"--nope"}, {"--nope"});
}

TEST(CommandLine, OutputThatIsLostIsAnError) {
  const ProgramRun run = run_program_through(R"(exec "$@" >/dev/full)", {"list", "formats"});
  EXPECT_EQ(run.exit_code, 2);
  EXPECT_NE(run.err, "");
}

TEST(CommandLine, ExitCodeHoldsWhereTheMessageIsLost) {
  const ProgramRun run = run_program_through(R"(exec "$@" 2>/dev/full)", {"replay", "/missing"});
  EXPECT_EQ(run.exit_code, 2);
  EXPECT_EQ(run.out, "");
}

struct ListCase {
  const char* what;
  std::vector<std::string> names;
};

class List : public testing::TestWithParam<ListCase> {};

TEST_P(List, NamesAll) {
  const ProgramRun run = run_program({"list", GetParam().what});
  EXPECT_EQ(run.exit_code, 0);
  EXPECT_EQ(run.err, "");
  for (const std::string& name : GetParam().names) {
    EXPECT_THAT(run.out, HasSubstr(name));
  }
}

INSTANTIATE_TEST_SUITE_P(
    All, List,
    testing::Values(ListCase{"formats", {"mxfp4", "hif4", "nvfp4", "4.25", "4.5"}},
                    ListCase{"presets",
                             {"rceil", "floor", "ceil", "even", "oas", "torchao_floor",
                              "torchao_ceil", "amct", "model_a6_rne", "a6", "te_nvfp4",
                              "ggml_nvfp4", "executed on a processor", "log2f"}},
                    ListCase{"rules", {"four_thirds", "best_pow2", "ideal", "stochastic"}},
                    ListCase{"schemes", {"rl_w4a4_hif4:", "nvfp4_pretraining:", "source: "}},
                    ListCase{"layouts", {"low-first", "gguf"}},
                    ListCase{"policies",
                             {"policy", "basis", "fp32-rne", "fp32-fused", "blackwell",
                              "blackwell-v1", "blackwell-mxf8f6f4", "exact"}},
                    ListCase{"machines", {"core16x16x64"}}),
    [](const testing::TestParamInfo<ListCase>& test) { return std::string(test.param.what); });

TEST(CommandLine, PoliciesSayWhatTheyRestOn) {
  const ProgramRun run = run_program({"list", "policies"});
  for (const char* const row : {"fp32-rne +contract ", "fp32-fused +contract ",
                                "blackwell +published model ", "blackwell-v1 +published model ",
                                "blackwell-mxf8f6f4 +untested model ", "exact +contract "}) {
    EXPECT_THAT(run.out, ContainsRegex(row));
  }
}

TEST(CommandLine, NothingOfThatNameToList) {
  const TemporaryFolder folder;
  expect_refused(folder, {"list", "colours"}, {"'colours'", "formats", "policies"});
}

}  // namespace
}  // namespace nibblecore
