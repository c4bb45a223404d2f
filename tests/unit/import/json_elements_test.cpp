// SPDX-License-Identifier: Apache-2.0
#include "model/import/json_elements.hpp"

#include <sstream>
#include <string>
#include <vector>

#include <boost/json/serialize.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model/common/error.hpp"
#include "tests/support/input_error.hpp"

namespace nibblecore {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

struct Read {
  bool found = false;
  std::vector<std::string> elements;
  std::vector<std::string> members;
};

Read read(const std::string& text) {
  std::istringstream stream(text);
  ByteSource source(stream, "f");
  Read result;
  JsonElements wanted;
  wanted.array = "list";
  wanted.members = {"kept"};
  wanted.on_element = [&](const boost::json::value& element, int64_t index) {
    EXPECT_EQ(index, static_cast<int64_t>(result.elements.size()));
    result.elements.push_back(serialize(element));
  };
  wanted.on_member = [&](std::string_view key, const boost::json::value& value) {
    result.members.push_back(std::string(key) + "=" + serialize(value));
  };
  result.found = read_json_elements(source, wanted);
  return result;
}

std::string refusal(const std::string& text) {
  return input_error([&] { read(text); });
}

TEST(JsonElements, OfAMemberInAnyPlace) {
  const Read result = read(
      R"({"a":{"list":[1],"kept":2},"kept":{"x":[1,{"y":null}]},"list":[{"n":1},[2,"s"],true],"z":[[{}]]})");
  EXPECT_TRUE(result.found);
  EXPECT_THAT(result.elements, ElementsAre(R"({"n":1})", R"([2,"s"])", "true"));
  EXPECT_THAT(result.members, ElementsAre(R"(kept={"x":[1,{"y":null}]})"));
}

TEST(JsonElements, OfABareArray) {
  EXPECT_THAT(read("[[], {\"list\":[1]}, 3 ] ").elements,
              ElementsAre("[]", R"({"list":[1]})", "3"));
  EXPECT_TRUE(read("[]").found);
  EXPECT_FALSE(read(R"({"other":[1]})").found);
  EXPECT_FALSE(read(R"({"list":1})").found);
  EXPECT_FALSE(read("7").found);
}

TEST(JsonElements, DecimalsKeepTheirDigits) {
  EXPECT_THAT(
      read(R"([{"t":1661203462598772.1250},{"t":-1.5e3},{"t":9223372036854775807}])").elements,
      ElementsAre(R"({"t":"1661203462598772.1250"})", R"({"t":"-1.5e3"})",
                  R"({"t":9223372036854775807})"));
}

// Pieces are 64 KiB: everything crosses a border somewhere.
TEST(JsonElements, AcrossPieces) {
  std::string text = "[";
  std::vector<std::string> expected;
  for (int number = 0; number < 30000; ++number) {
    const std::string digits = std::to_string(number);
    expected.push_back(R"({"key)" + digits + R"(":[")" + digits + R"(.25",)" + digits +
                       R"(,"é\u0001"]})");
    text += (number == 0 ? "" : ",") +
            (R"({"key)" + digits + R"(":[)" + digits + ".25," + digits + R"(,"\u00e9\u0001"]})");
  }
  EXPECT_EQ(read(text + "]").elements, expected);
}

TEST(JsonElements, WhatIsNoJson) {
  EXPECT_THAT(refusal("[1,2"),
              AllOf(HasSubstr("f, offset 4: not valid JSON: the document ends early"),
                    HasSubstr("after element 2")));
  EXPECT_THAT(refusal("[1,,2]"), HasSubstr("f, offset 3: not valid JSON"));
  EXPECT_THAT(refusal("[1] 2"), HasSubstr("text follows the document"));
  EXPECT_THAT(refusal("{\"list\":[\"\xFF\"]}"), HasSubstr("not valid JSON"));
  EXPECT_THAT(refusal(""), HasSubstr("ends early"));
  EXPECT_EQ(refusal("[1] \n"), "");
}

TEST(JsonElements, DeepNestingIsRefused) {
  const auto nested = [](int depth) {
    return std::string(static_cast<size_t>(depth), '[') +
           std::string(static_cast<size_t>(depth), ']');
  };
  EXPECT_EQ(refusal(nested(64)), "");
  EXPECT_THAT(refusal(nested(65)), HasSubstr("f, offset 64: not valid JSON"));
  EXPECT_THAT(refusal(std::string(1000000, '[')), HasSubstr("not valid JSON"));
}

TEST(JsonElements, HugeElementsAndTextsAreRefused) {
  const std::string eight(size_t{8} << 20, 'x');
  EXPECT_THAT(refusal("[1,\"" + eight + "\"]"), HasSubstr("f, element 1: is larger than 8 MiB"));
  EXPECT_THAT(refusal("{\"kept\":\"" + eight + "\"}"), HasSubstr("f, member \"kept\": is larger"));
  EXPECT_THAT(refusal("{\"other\":\"" + eight + eight + "x\"}"), HasSubstr("not valid JSON"));
  EXPECT_EQ(refusal("{\"other\":\"" + eight + "\",\"list\":[]}"), "");
  EXPECT_THAT(refusal("{\"" + std::string(70000, 'k') + "\":1}"), HasSubstr("not valid JSON"));
}

TEST(JsonElements, ErrorsOfCallbacksPassThrough) {
  std::istringstream stream("[1]");
  ByteSource source(stream, "f");
  JsonElements wanted;
  wanted.on_element = [](const boost::json::value&, int64_t) { throw InputError("here", "why"); };
  EXPECT_EQ(input_error([&] { read_json_elements(source, wanted); }), "here: why");
}

}  // namespace
}  // namespace nibblecore
