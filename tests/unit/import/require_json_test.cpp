// SPDX-License-Identifier: Apache-2.0
#include "model/import/require_json.hpp"

#include <sstream>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/input_error.hpp"
#include "tests/unit/import/gzip_text.hpp"

namespace nibblecore {
namespace {

using testing::HasSubstr;

std::string refusal(const std::string& bytes) {
  std::istringstream stream(bytes);
  ByteSource source(stream, "f");
  return input_error([&] { require_json(source); });
}

TEST(RequireJson, ObjectsAndArraysPass) {
  for (const char* const text : {"{", "[", " \n\t{", "{\n  \"schema\": \"1.0.1\"", "[\n{"}) {
    EXPECT_EQ(refusal(text), "") << text;
  }
}

TEST(RequireJson, OtherTextDoesNot) {
  EXPECT_EQ(refusal(""), "f: is empty");
  EXPECT_THAT(refusal("  Layer,M"), HasSubstr("f, offset 2: not JSON"));
  EXPECT_THAT(refusal(gzip("x")), HasSubstr("f, offset 0 of the unpacked text: not JSON"));
}

// GlobalMetadata {version: "0.0.4"}, of length 7; of length 123, which is '{'; an empty one and a
// node.
TEST(RequireJson, ChakraIsToldApart) {
  const std::string version(
      "\x0A\x05"
      "0.0.4",
      7);
  const std::string attribute = std::string("\x12\x72\x0A\x06schema", 10) + std::string(106, 'x');
  const std::string node("\x00\x06\x08\x01\x12\x02mm", 8);
  for (const std::string& bytes : {"\x07" + version, "{" + version + attribute, node,
                                   "\x87\x01" + version + attribute, gzip("\x07" + version)}) {
    EXPECT_THAT(refusal(bytes), HasSubstr("f: looks like a Chakra protobuf (.et): import the "
                                          "execution-trace JSON"));
  }
}

}  // namespace
}  // namespace nibblecore
