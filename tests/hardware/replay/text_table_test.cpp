// SPDX-License-Identifier: Apache-2.0
#include "tb/replay/text_table.hpp"

#include <gtest/gtest.h>

namespace nibblecore::tb {
namespace {

TEST(TextTable, AlignsColumns) {
  TextTable table;
  table.add_column("name", TextTable::Align::kLeft);
  table.add_column("n", TextTable::Align::kRight);
  table.add_row({"a", "100"});
  table.add_row({"longer", "7"});
  EXPECT_EQ(table.text(),
            "name      n\n"
            "a       100\n"
            "longer    7\n");
}

TEST(TextTable, ColumnsOfTextComeBeforeThoseOfFigures) {
  TextTable table({"name", "kind"}, {"count"});
  table.add_row({"a", "first", "7"});
  EXPECT_EQ(table.text(),
            "name  kind   count\n"
            "a     first      7\n");
}

TEST(TextTable, GroupsDigits) {
  EXPECT_EQ(grouped(0), "0");
  EXPECT_EQ(grouped(999), "999");
  EXPECT_EQ(grouped(1000), "1,000");
  EXPECT_EQ(grouped(6316032), "6,316,032");
  EXPECT_EQ(grouped(-123456), "-123,456");
}

}  // namespace
}  // namespace nibblecore::tb
