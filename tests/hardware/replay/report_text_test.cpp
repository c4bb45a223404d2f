// SPDX-License-Identifier: Apache-2.0
#include "tb/replay/report_text.hpp"

#include <cmath>
#include <sstream>

#include <gtest/gtest.h>

namespace nibblecore::tb {
namespace {

TEST(ReportText, RoundsToSixDecimals) {
  EXPECT_EQ(rounded(0.12345649), 0.123456);
  EXPECT_EQ(rounded(-1.7266666666), -1.726667);
  EXPECT_FALSE(std::signbit(rounded(-1e-9)));
}

TEST(ReportText, QuotesCsvFieldsThatNeedIt) {
  EXPECT_EQ(csv_field("q_proj.weight"), "q_proj.weight");
  EXPECT_EQ(csv_field("a,b"), "\"a,b\"");
  EXPECT_EQ(csv_field("say \"x\""), "\"say \"\"x\"\"\"");
  EXPECT_EQ(csv_field("two\nlines"), "\"two\nlines\"");
}

TEST(ReportText, WritesAnElementALine) {
  std::ostringstream out;
  write_json_list(out, {});
  EXPECT_EQ(out.str(), "[\n ]");
  out.str("");
  write_json_list(out, {{{"a", 1}}, {{"b", "x"}}});
  EXPECT_EQ(out.str(), "[\n  {\"a\":1},\n  {\"b\":\"x\"}\n ]");
  out.str("");
  write_json_list(out, 2, [](size_t i) { return boost::json::object{{"i", i}}; });
  EXPECT_EQ(out.str(), "[\n  {\"i\":0},\n  {\"i\":1}\n ]");
}

}  // namespace
}  // namespace nibblecore::tb
