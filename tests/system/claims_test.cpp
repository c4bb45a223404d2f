// SPDX-License-Identifier: Apache-2.0
#include <fstream>
#include <sstream>
#include <string>

#include <boost/json.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/system/support/expect_refused.hpp"
#include "tests/system/support/program.hpp"

namespace nibblecore {
namespace {

using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

const std::string& tiny_grpo() {
  static const std::string path = std::string(NIBBLECORE_TEST_DATA) + "/tiny_grpo";
  return path;
}

TEST(ClaimsCommand, PrintsTheTableOfTheClaimsAskedFor) {
  const ProgramRun run = run_program({"claims", "--only", "3,2", "--values", "4096"});
  EXPECT_EQ(run.exit_code, 0);
  EXPECT_EQ(run.err, "");
  EXPECT_THAT(run.out, StartsWith("| # | claim | source | published | computed | tolerance |"));
  EXPECT_THAT(run.out, HasSubstr("\n| 2 | "));
  EXPECT_THAT(run.out, HasSubstr("\n| 3 | "));
  EXPECT_THAT(run.out, Not(HasSubstr("\n| 4 | ")));
  EXPECT_THAT(run.out, Not(HasSubstr("tiny_grpo")));
}

TEST(ClaimsCommand, TheScaleSweepIsShownInFullWithItsClaim) {
  const ProgramRun sweep = run_program({"claims", "--only", "7", "--values", "4096"});
  EXPECT_EQ(sweep.exit_code, 0);
  EXPECT_THAT(sweep.out, HasSubstr("\n| 0 | 1.000 (1.000) |"));
  EXPECT_THAT(sweep.out, HasSubstr("\n| 8 | "));
  EXPECT_THAT(sweep.out, HasSubstr("\n| unlimited | "));
  EXPECT_THAT(run_program({"claims", "--only", "3", "--values", "4096"}).out,
              Not(HasSubstr("unlimited")));
}

TEST(ClaimsCommand, DecomposesTheOperandsOfATrace) {
  const TemporaryFolder folder;
  const std::string json = (folder.path() / "claims.json").string();
  const ProgramRun run = run_program(
      {"claims", "--only", "3", "--values", "4096", "--trace", tiny_grpo() + "/", "--json", json});
  EXPECT_EQ(run.exit_code, 0);
  EXPECT_EQ(run.err, "");
  for (const char* const group : {"weights", "activations", "gradients"}) {
    EXPECT_THAT(run.out, HasSubstr("**tiny_grpo " + std::string(group) + " 0**"));
  }
  std::stringstream text;
  text << std::ifstream(json).rdbuf();
  const boost::json::value report = boost::json::parse(text.str());
  EXPECT_EQ(report.at("values"), 4096);
  EXPECT_EQ(report.at("claims").as_array().size(), 1);
  EXPECT_EQ(report.at("claims").at(0).at("verdict"), "holds");
}

TEST(ClaimsCommand, SameSeedSameTableOnAnyThreads) {
  const auto table = [](const std::string& seed, const std::string& threads) {
    return run_program(
               {"claims", "--only", "1", "--values", "4096", "--seed", seed, "--threads", threads})
        .out;
  };
  EXPECT_EQ(table("5", "1"), table("5", "3"));
  EXPECT_NE(table("5", "1"), table("6", "1"));
}

TEST(ClaimsCommand, RefusesWhatItCannotCompute) {
  const TemporaryFolder folder;
  expect_refused(folder, {"claims", "--only", "17"}, {"no claim 17"});
  expect_refused(folder, {"claims", "--only", "1,"}, {"--only", "1,6,7"});
  expect_refused(folder, {"claims", "--only", "one"}, {"--only", "one"});
  expect_refused(folder, {"claims", "--only", "1;2"}, {"--only"});
  expect_refused(folder, {"claims", "--values", "5000"}, {"--values", "power of two"});
  expect_refused(folder, {"claims", "--values", "2048"}, {"--values"});
  expect_refused(folder, {"claims", "--trace", (folder.path() / "none").string()}, {"none"});
  expect_refused(
      folder, {"claims", "--only", "16", "--json", (folder.path() / "no" / "x").string()}, {"no"});
}

}  // namespace
}  // namespace nibblecore
