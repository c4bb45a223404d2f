// SPDX-License-Identifier: Apache-2.0
#include "model/common/json_node.hpp"

#include <array>
#include <limits>
#include <string>

#include <gtest/gtest.h>

#include "model/common/error.hpp"
#include "model/common/strict_json.hpp"

namespace nibblecore {
namespace {

class JsonNodeTest : public testing::Test {
 protected:
  JsonNode root(const std::string& text) {
    document_ = parse_strict_json(text, place_, 0);
    return JsonNode(document_, place_);
  }

  template <typename Read>
  std::string refusal(const std::string& text, const Read& read) {
    try {
      read(root(text));
    } catch (const InputError& error) {
      return error.what();
    }
    return "accepted";
  }

  std::string place_ = "file.json";
  boost::json::value document_;
};

TEST_F(JsonNodeTest, ErrorsOfOthersBecomeOnesOfTheField) {
  EXPECT_EQ(root(R"({"a": 3})")["a"].within([] { return 7; }), 7);
  EXPECT_EQ(refusal(R"({"a": {"b": 3}})",
                    [](const JsonNode& top) {
                      top["a"]["b"].within([] { throw InputError("--size", "is odd"); });
                    }),
            "file.json, field \"a.b\": --size: is odd");
}

TEST_F(JsonNodeTest, ReadsValuesAndKnowsTheirPaths) {
  const JsonNode node = root(R"({"a": {"b": [1, 2.5, "x"]}, "n": "core-1.2"})");
  const std::vector<JsonNode> items = node["a"]["b"].items();
  EXPECT_EQ(items[0].integer(), 1);
  EXPECT_EQ(items[0].number(), 1.0);
  EXPECT_EQ(items[1].number(), 2.5);
  EXPECT_EQ(items[2].text(), "x");
  EXPECT_EQ(node["n"].name(), "core-1.2");
  EXPECT_FALSE(node.find("m").has_value());
  EXPECT_EQ(node.members().size(), 2U);
  EXPECT_EQ(refusal(R"({"a": {"b": [1, 2.5]}})",
                    [](const JsonNode& top) { top["a"]["b"].items()[1].integer(); }),
            "file.json, field \"a.b[1]\": is 2.5E0, not a 64-bit integer");
}

TEST_F(JsonNodeTest, RequiresKeys) {
  const auto keys = [](const JsonNode& top) { top.require_keys({"a", "b"}, {"c"}); };
  EXPECT_EQ(refusal(R"({"a": 1, "b": 2})", keys), "accepted");
  EXPECT_EQ(refusal(R"({"a": 1, "b": 2, "c": 3})", keys), "accepted");
  EXPECT_EQ(refusal(R"({"a": 1})", keys), "file.json, field \"b\": is missing");
  EXPECT_EQ(refusal(R"({"a": 1, "b": 2, "d": 3})", keys),
            "file.json, field \"d\": is unknown (known: a, b, c)");
  EXPECT_EQ(refusal("[1]", keys), "file.json: is [1], not an object");
}

TEST_F(JsonNodeTest, ChoosesAmongRecords) {
  struct Record {
    std::string_view name;
    int value;
  };
  constexpr std::array<Record, 2> records{{{"one", 1}, {"two", 2}}};
  EXPECT_EQ(root(R"({"a": "two"})")["a"].choice(records).value, 2);
  EXPECT_EQ(refusal(R"({"a": "three"})", [&](const JsonNode& top) { top["a"].choice(records); }),
            "file.json, field \"a\": is \"three\", not one of one, two");
}

TEST_F(JsonNodeTest, TellsTrueFalseAndNull) {
  EXPECT_TRUE(root(R"({"a": true})")["a"].boolean());
  EXPECT_FALSE(root(R"({"a": false})")["a"].boolean());
  EXPECT_EQ(refusal(R"({"a": 1})", [](const JsonNode& top) { top["a"].boolean(); }),
            "file.json, field \"a\": is 1, not true or false");
  EXPECT_TRUE(root(R"({"a": null})")["a"].is_null());
  EXPECT_FALSE(root(R"({"a": 0})")["a"].is_null());
  EXPECT_EQ(root(R"({"a": 7})")["a"].value(), 7);
}

TEST_F(JsonNodeTest, RefusesOtherTypesAndRanges) {
  EXPECT_NE(refusal(R"({"a": 5})", [](const JsonNode& top) { top["a"].integer(6, 9); })
                .find("is 5, outside 6 to 9"),
            std::string::npos);
  EXPECT_NE(refusal(R"({"a": ""})", [](const JsonNode& top) { top["a"].text(); }), "accepted");
  EXPECT_NE(refusal(R"({"a": "\u001b[1m"})", [](const JsonNode& top) { top["a"].text(); }),
            "accepted");
  EXPECT_NE(refusal(R"({"a": "b c"})", [](const JsonNode& top) { top["a"].name(); }), "accepted");
  EXPECT_NE(refusal(R"({"a": "1"})", [](const JsonNode& top) { top["a"].number(); }), "accepted");
  EXPECT_NE(refusal(R"({"a": "b"})", [](const JsonNode& top) { top["a"].items(); }), "accepted");
}

TEST_F(JsonNodeTest, SingleNumbersAreFiniteInFp32) {
  EXPECT_EQ(root(R"({"a": 0.1})")["a"].single_number(), 0.1F);
  EXPECT_EQ(root(R"({"a": 3.4028235e38})")["a"].single_number(), std::numeric_limits<float>::max());
  EXPECT_EQ(refusal(R"({"a": 1e39})", [](const JsonNode& top) { top["a"].single_number(); }),
            "file.json, field \"a\": is 1E39, not a finite FP32 number");
}

}  // namespace
}  // namespace nibblecore
