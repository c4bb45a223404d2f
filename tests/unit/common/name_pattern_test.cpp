// SPDX-License-Identifier: Apache-2.0
#include "model/common/name_pattern.hpp"

#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/input_error.hpp"

namespace nibblecore {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

bool is_in(const std::string& expression, const std::string& name) {
  return NamePattern(expression, "here").is_in(name);
}

std::string error_of(const std::string& expression, const std::string& name = "x") {
  return input_error([&] { is_in(expression, name); });
}

TEST(NamePattern, IsFoundAnywhere) {
  EXPECT_TRUE(is_in(R"(layers\.(0|17)\..*proj$)", "model.layers.17.mlp.up_proj"));
  EXPECT_FALSE(is_in(R"(layers\.(0|17)\..*proj$)", "model.layers.7.mlp.up_proj"));
  EXPECT_FALSE(is_in("^layers", "model.layers.7"));
  EXPECT_TRUE(is_in(R"((\d)\.x\.\1)", "a.7.x.7"));
  EXPECT_FALSE(is_in(R"((\d)\.x\.\1)", "a.7.x.8"));
  EXPECT_TRUE(is_in("", ""));
}

TEST(NamePattern, ANameIsOneLine) {
  EXPECT_FALSE(is_in("^b", "a\nb"));
  EXPECT_FALSE(is_in("a$", "a\nb"));
  EXPECT_FALSE(is_in("a.b", "a\nb"));
}

TEST(NamePattern, RefusesWhatIsNoExpression) {
  EXPECT_THAT(error_of("(x"), StartsWith("here: \"(x\" is not a regular expression: "));
  EXPECT_THAT(error_of("x{3,2}"), HasSubstr("is not a regular expression"));
  EXPECT_THAT(error_of(std::string(1025, 'x')), HasSubstr("longer than 1024 bytes"));
  EXPECT_EQ(error_of(std::string(1024, 'x')), "");
}

// libstdc++ runs out of stack.
TEST(NamePattern, RefusesDeepNesting) {
  EXPECT_THAT(error_of(std::string(511, '(') + "x" + std::string(511, ')')),
              HasSubstr("is not a regular expression"));
}

// Searches that go back over and over take exponential time elsewhere.
TEST(NamePattern, GivesUpASearchThatTakesTooMuchEffort) {
  EXPECT_THAT(error_of("(x+x+)+y", std::string(1024, 'x')),
              StartsWith("here: cannot be matched: "));
}

TEST(NamePattern, RefusesLongExpressionsForLongNames) {
  const std::string name(1024, 'y');
  EXPECT_THAT(error_of(std::string(182, 'x'), name), HasSubstr("too long to be searched for in"));
  EXPECT_EQ(error_of(std::string(181, 'x'), name), "");
  EXPECT_EQ(error_of(std::string(512, 'x'), std::string(128, 'y')), "");
}

TEST(NamePattern, CopiesOutliveTheOriginal) {
  const NamePattern copy = [] { return NamePattern(NamePattern("b", "here")); }();
  EXPECT_TRUE(copy.is_in("abc"));
}

}  // namespace
}  // namespace nibblecore
