// SPDX-License-Identifier: Apache-2.0
#include "model/import/csv_lines.hpp"

#include <sstream>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/input_error.hpp"

namespace nibblecore {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::vector<CsvLine> lines_of(const std::string& text) {
  std::istringstream stream(text);
  ByteSource source(stream, "f");
  CsvLines lines(source);
  std::vector<CsvLine> result;
  CsvLine line;
  while (lines.next(line)) {
    result.push_back(line);
  }
  return result;
}

TEST(CsvLines, FieldsAndPlaces) {
  const auto lines = lines_of("a , b,\r\n\n\tc,,d\nlast");
  ASSERT_EQ(lines.size(), 3U);
  EXPECT_THAT(lines[0].fields, ElementsAre("a", "b"));
  EXPECT_THAT(lines[1].fields, ElementsAre("c", "", "d"));
  EXPECT_THAT(lines[2].fields, ElementsAre("last"));
  EXPECT_EQ(lines[1].place, "f:3");
}

TEST(CsvLines, AcrossPieces) {
  std::string text;
  for (int number = 0; number < 40000; ++number) {
    text += std::to_string(number) + "," + std::to_string(number + 1) + "\n";
  }
  const auto lines = lines_of(text);
  ASSERT_EQ(lines.size(), 40000U);
  for (int number = 0; number < 40000; ++number) {
    ASSERT_THAT(lines[static_cast<size_t>(number)].fields,
                ElementsAre(std::to_string(number), std::to_string(number + 1)));
  }
}

TEST(CsvLines, WhatIsNoCsv) {
  const auto refusal = [](const std::string& text) { return input_error([&] { lines_of(text); }); };
  EXPECT_THAT(refusal("a\n\"b\",c\n"), HasSubstr("f:2: has quoted fields"));
  EXPECT_THAT(refusal(std::string("a\0b", 3)), HasSubstr("f:1: has a control character"));
  EXPECT_THAT(refusal("\xFF"), HasSubstr("f:1: is not UTF-8"));
  EXPECT_THAT(refusal("\xED\xA0\x80"), HasSubstr("f:1: is not UTF-8"));
  EXPECT_THAT(refusal("\xC3"), HasSubstr("f:1: is not UTF-8"));
  EXPECT_THAT(refusal("a\n" + std::string(65537, 'x')), HasSubstr("f:2: is longer than 64 KiB"));
  EXPECT_EQ(refusal(std::string(65536, 'x')), "");
}

}  // namespace
}  // namespace nibblecore
