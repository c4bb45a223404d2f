// SPDX-License-Identifier: Apache-2.0
#include "tb/coverage/cover_point.hpp"

#include <stdexcept>

#include <gtest/gtest.h>

#include "model/common/error.hpp"
#include "tb/coverage/coverage.hpp"
#include "tb/coverage/coverage_report.hpp"

namespace nibblecore::tb {
namespace {

std::vector<CoverBin> three_bins() {
  std::vector<CoverBin> bins = bins_of({"low", "high", "never"});
  rule_out(bins, 2, 2, "no such value");
  return bins;
}

TEST(CoverPointTest, CountsReachableBinsOnly) {
  CoverPoint point("group", "point", three_bins());
  EXPECT_EQ(point.reachable(), 2);
  EXPECT_EQ(point.covered(), 0);
  EXPECT_EQ(point.holes().size(), 2U);
  point.hit(1, 5);
  EXPECT_EQ(point.covered(), 1);
  ASSERT_EQ(point.holes().size(), 1U);
  EXPECT_EQ(point.holes()[0].name, "low");
  EXPECT_EQ(point.bins()[1].hits, 5);
  EXPECT_TRUE(point.surprises().empty());
}

TEST(CoverPointTest, UnreachableBinThatIsHitIsASurprise) {
  CoverPoint point("group", "point", three_bins());
  point.hit(2);
  EXPECT_EQ(point.covered(), 0);
  ASSERT_EQ(point.surprises().size(), 1U);
  EXPECT_EQ(point.surprises()[0].name, "never");
}

TEST(CoverPointTest, BinsBeyondTheLastAndPointsWithoutBinsAreRefused) {
  CoverPoint point("group", "point", three_bins());
  EXPECT_THROW(point.hit(3), std::out_of_range);
  EXPECT_THROW(CoverPoint("group", "empty", {}), InternalError);
}

TEST(CoverPointTest, CrossRunsTheSecondNamesFastest) {
  EXPECT_EQ(cross({"a", "b"}, {"1", "2"}),
            (std::vector<std::string>{"a, 1", "a, 2", "b, 1", "b, 2"}));
}

TEST(CoverageRegistryTest, IsClosedOnlyWithEveryReachableBinAndNoOther) {
  Coverage coverage;
  CoverPoint& point = coverage.add("group", "point", three_bins());
  coverage.add("group", "other", bins_of({"one"})).hit(0);
  EXPECT_EQ(coverage.holes(), 2);
  point.hit(0);
  point.hit(1);
  EXPECT_TRUE(coverage.is_closed());
  point.hit(2);
  EXPECT_EQ(coverage.surprises(), 1);
  EXPECT_FALSE(coverage.is_closed());
}

TEST(CoverageRegistryTest, NamesAreUniqueWithinAGroup) {
  Coverage coverage;
  coverage.add("group", "point", three_bins());
  coverage.add("other group", "point", three_bins());
  EXPECT_THROW(coverage.add("group", "point", three_bins()), InternalError);
  EXPECT_THROW(coverage.point("group", "no point"), InternalError);
  EXPECT_EQ(coverage.point("other group", "point").group(), "other group");
}

TEST(CoverageReportTest, TableNamesHolesSurprisesAndReasons) {
  Coverage coverage;
  CoverPoint& point = coverage.add("group", "point", three_bins());
  point.hit(1, 1234);
  const std::string table = coverage_table(coverage);
  EXPECT_NE(table.find("1/2"), std::string::npos) << table;
  EXPECT_NE(table.find("1,234"), std::string::npos) << table;
  EXPECT_NE(table.find("Holes\n  group / point: low\n"), std::string::npos) << table;
  EXPECT_NE(table.find("Unreachable\n  group / point: never\n      no such value\n"),
            std::string::npos)
      << table;
  EXPECT_EQ(table.find("although"), std::string::npos) << table;
  point.hit(2);
  EXPECT_NE(coverage_table(coverage).find("declared unreachable\n  group / point: never\n"),
            std::string::npos);
}

TEST(CoverageReportTest, JsonHoldsEveryBin) {
  Coverage coverage;
  coverage.add("group", "point", three_bins()).hit(1, 7);
  EXPECT_EQ(
      coverage_json(coverage),
      R"({"points":[{"group":"group","name":"point","bins":[{"name":"low","hits":0},)"
      R"({"name":"high","hits":7},{"name":"never","hits":0,"unreachable":"no such value"}]}],)"
      R"("holes":1,"surprises":0})"
      "\n");
}

}  // namespace
}  // namespace nibblecore::tb
