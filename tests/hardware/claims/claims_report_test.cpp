// SPDX-License-Identifier: Apache-2.0
#include "tb/claims/claims_report.hpp"

#include <sstream>

#include <boost/json.hpp>
#include <gtest/gtest.h>

namespace nibblecore::tb {
namespace {

std::vector<Claim> claims() {
  Statement first;
  first.text = "a|b";
  first.published = ".5";
  first.holds_within = {0.45, 0.55};
  first.tolerance = 0.01;
  first.figures = {{"gaussian", "|x|", 0.5, FigureRole::kDecides},
                   {"gaussian", "count", 123456, FigureRole::kContext},
                   {"t4", "|x|", 0.123456, FigureRole::kWidens}};
  Statement second;
  second.text = "c";
  second.published = "falls";
  second.holds_within.high = 1;
  second.figures = {{"gaussian", "ratio", 2, FigureRole::kDecides}};
  return {{7, "Title", "a paper", {first, second}}};
}

TEST(ClaimsReport, IsAMarkdownTableOfStatements) {
  EXPECT_EQ(claims_table(claims()),
            "| # | claim | source | published | computed | tolerance | verdict |\n"
            "|--:|---|---|---|---|--:|---|\n"
            "| 7 | Title: a\\|b | a paper | .5 | \\|x\\|: **gaussian 0.5**, t4 0.1235; count: "
            "gaussian 123456 | 0.01 | holds |\n"
            "|  | c |  | falls | ratio: **gaussian 2** | 0 | does not hold |\n");
}

TEST(ClaimsReport, JsonHoldsFiguresRulesAndVerdicts) {
  std::ostringstream out;
  ClaimInputs inputs;
  inputs.seed = 9;
  write_claims_json(out, inputs, claims());
  const boost::json::object report = boost::json::parse(out.str()).as_object();
  EXPECT_EQ(report.at("values"), 1 << 21);
  EXPECT_EQ(report.at("seed"), 9);
  const boost::json::object& claim = report.at("claims").at(0).as_object();
  EXPECT_EQ(claim.at("number"), 7);
  EXPECT_EQ(claim.at("source"), "a paper");
  EXPECT_EQ(claim.at("verdict"), "holds in part");
  const boost::json::object& first = claim.at("statements").at(0).as_object();
  EXPECT_EQ(first.at("holds_within"), (boost::json::array{0.45, 0.55}));
  EXPECT_EQ(first.at("figures").at(2).at("value"), 0.123456);
  EXPECT_EQ(first.at("figures").at(2).at("role"), "widens");
  EXPECT_EQ(first.at("verdict"), "holds");
  const boost::json::object& second = claim.at("statements").at(1).as_object();
  EXPECT_EQ(second.at("holds_within"), (boost::json::array{nullptr, 1.0}));
  EXPECT_EQ(second.at("verdict"), "does not hold");
}

}  // namespace
}  // namespace nibblecore::tb
