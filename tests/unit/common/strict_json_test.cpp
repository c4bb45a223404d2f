// SPDX-License-Identifier: Apache-2.0
#include "model/common/strict_json.hpp"

#include <string>

#include <boost/json/parse.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/trace/temporary_folder.hpp"

namespace nibblecore {
namespace {

using testing::AllOf;
using testing::EndsWith;
using testing::HasSubstr;
using testing::StartsWith;

std::string error_of(std::string_view text) {
  return input_error([&] { parse_strict_json(text, "f", 8); });
}

std::string nested(int depth) {
  return std::string(static_cast<size_t>(depth), '[') +
         std::string(static_cast<size_t>(depth), ']');
}

TEST(StrictJson, ValueEqualsThatOfTheUsualParser) {
  const std::string text =
      R"( {"a":[1,-2,2.5,18446744073709551615,true,false,null],"b\u0041":{"":"x\n\u00e9"},)"
      R"("c":[],"d":{},"e":[{"k":1},{"k":2}]} )";
  EXPECT_EQ(parse_strict_json(text, "f", 0), boost::json::parse(text));
}

TEST(StrictJson, LongStringsAndKeysArriveWhole) {
  const std::string longer_than_buffers(10'000, 'x');
  const std::string text =
      "{\"\\n" + longer_than_buffers + "\":\"\\n" + longer_than_buffers + "\"}";
  EXPECT_EQ(parse_strict_json(text, "f", 0), boost::json::parse(text));
  EXPECT_THAT(
      error_of("{\"\\n" + longer_than_buffers + "\":1,\"\\n" + longer_than_buffers + "\":2}"),
      HasSubstr("duplicate key"));
}

TEST(StrictJson, DuplicateKeysAreRefusedAtEveryLevel) {
  EXPECT_THAT(error_of(R"({"a":1,"b":2,"a":1})"), HasSubstr("duplicate key \"a\""));
  EXPECT_THAT(error_of(R"([{"x":{"deep":1,"deep":2}}])"), HasSubstr("duplicate key \"deep\""));
  EXPECT_THAT(error_of(R"({"a":1,"\u0061":2})"), HasSubstr("duplicate key \"a\""));
  EXPECT_THAT(error_of(R"({"a":{"b":1},"b":{"a":1}})"), testing::IsEmpty());
}

TEST(StrictJson, ErrorsNameTheOffset) {
  EXPECT_THAT(error_of("{\"a\":1,!}"), StartsWith("f, offset 15: not valid JSON"));
  EXPECT_THAT(error_of("{} x"), StartsWith("f, offset 11: not valid JSON: text follows"));
}

TEST(StrictJson, MalformedTextIsRefused) {
  for (const char* text : {"", " ", "{", "{\"a\"", "{\"a\":}", "[1,]", "{'a':1}", "[01]", "[+1]",
                           "[1.]", "nul", "[NaN]", "// c\n1", "\"\\x\"", "\"\t\"", "\"\\ud800\"",
                           "1e999999999999", "[1e309]", "-1e309"}) {
    EXPECT_THAT(error_of(text), StartsWith("f, offset ")) << text;
  }
}

TEST(StrictJson, TextThatIsNotUtf8IsRefused) {
  for (const char* text : {"\"\xff\"", "\"\xc0\x80\"", "\"\xed\xa0\x80\"", "\"\xe2\x82\"",
                           "{\"\x80\":1}", "\xef\xbb\xbf{}"}) {
    EXPECT_THAT(error_of(text), HasSubstr("not valid JSON")) << text;
  }
}

TEST(StrictJson, NestingIsBounded) {
  EXPECT_THAT(error_of(nested(kJsonDepth)), testing::IsEmpty());
  EXPECT_THAT(error_of(nested(kJsonDepth + 1)), HasSubstr("too deep"));
  EXPECT_THAT(error_of(std::string(1'000'000, '[')), HasSubstr("too deep"));
}

TEST(StrictJson, OnlyIntegersWithinRangeAreIntegers) {
  const auto integer = [](const char* text) {
    return json_integer(parse_strict_json(text, "f", 0));
  };
  EXPECT_EQ(integer("9223372036854775807"), INT64_MAX);
  EXPECT_EQ(integer("-9223372036854775808"), INT64_MIN);
  for (const char* text : {"9223372036854775808", "18446744073709551616", "1.0", "1e2", "\"1\"",
                           "true", "null", "[1]"}) {
    EXPECT_EQ(integer(text), std::nullopt) << text;
  }
}

TEST(StrictJson, NamesInMessagesAreEscapedAndCutBetweenCharacters) {
  EXPECT_EQ(in_quotes("a\n\x1b\"b"), R"("a\n\u001b\"b")");
  std::string text = "x";
  for (int i = 0; i < 100; ++i) {
    text += "\xc3\xa9";
  }
  const std::string quoted_text = in_quotes(text);
  EXPECT_THAT(quoted_text, AllOf(StartsWith("\"x\xc3\xa9"), EndsWith("\xc3\xa9\"...")));
  EXPECT_LE(quoted_text.size(), 105U);
}

}  // namespace
}  // namespace nibblecore
