// SPDX-License-Identifier: Apache-2.0
// The three implementations of the arithmetic are worth comparing only while none of them uses
// another: this holds the line between their folders.
#include "tests/system/include_rule.hpp"

#include <filesystem>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/trace/temporary_folder.hpp"

namespace nibblecore {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::UnorderedElementsAre;

std::filesystem::path root() { return NIBBLECORE_SOURCE_DIR; }

TEST(IncludeRule, HardwareUsesNoModelOfTheArithmetic) {
  ASSERT_GE(count_sources(root() / "hw"), 20);
  EXPECT_THAT(include_violations(root(), {{"hw", "model/quantize"},
                                          {"hw", "model/reference"},
                                          {"hw", "model/emulate"},
                                          {"hw", "model/analysis"},
                                          {"hw", "tb"}}),
              IsEmpty());
}

TEST(IncludeRule, ModelUsesNoHardware) {
  ASSERT_GE(count_sources(root() / "model"), 60);
  EXPECT_THAT(include_violations(root(), {{"model", "hw"}, {"model", "tb"}, {"model", "tests"}}),
              IsEmpty());
}

TEST(IncludeRule, ReferenceAndEmulatorAreApart) {
  ASSERT_GE(count_sources(root() / "model/reference"), 6);
  ASSERT_GE(count_sources(root() / "model/emulate"), 6);
  EXPECT_THAT(include_violations(root(), {{"model/reference", "model/emulate"},
                                          {"model/emulate", "model/reference"}}),
              IsEmpty());
}

TEST(IncludeRule, FormatsUseNothingAboveThem) {
  EXPECT_THAT(include_violations(root(), {{"model/formats", "model/quantize"},
                                          {"model/formats", "model/reference"},
                                          {"model/formats", "model/emulate"},
                                          {"model/formats", "model/analysis"},
                                          {"model/quantize", "model/reference"},
                                          {"model/quantize", "model/emulate"}}),
              IsEmpty());
}

/// A made-up tree.
class IncludeRuleTree : public testing::Test {
 protected:
  IncludeRuleTree() {
    for (const char* const name : {"hw/units", "model/formats", "model/quantize"}) {
      std::filesystem::create_directories(folder.path() / name);
    }
    folder.write("model/quantize/rule.hpp", "");
    folder.write("hw/units/unit.hpp", "#pragma once\n");
  }

  std::vector<std::string> violations() const {
    return include_violations(folder.path(), {{"hw", "model/quantize"}});
  }

  TemporaryFolder folder;
};

TEST_F(IncludeRuleTree, Clean) {
  folder.write("model/formats/e2m1.hpp", "#include <array>\n#include \"model/formats/e2m1.hpp\"\n");
  folder.write("hw/units/unit.cpp",
               "#include \"hw/units/unit.hpp\"\n#include \"model/formats/e2m1.hpp\"\n"
               "// #include \"model/quantize/rule.hpp\" is what must not be here\n");
  EXPECT_THAT(violations(), IsEmpty());
  EXPECT_EQ(count_sources(folder.path() / "hw"), 2);
}

TEST_F(IncludeRuleTree, DirectIncludes) {
  folder.write("hw/units/unit.cpp", "#include \"model/quantize/rule.hpp\"\n");
  folder.write("hw/units/unit.hpp", "  #  include <model/quantize/rule.hpp>\n");
  EXPECT_THAT(violations(), UnorderedElementsAre("hw/units/unit.cpp -> model/quantize/rule.hpp",
                                                 "hw/units/unit.hpp -> model/quantize/rule.hpp"));
}

TEST_F(IncludeRuleTree, ThroughHeaders) {
  folder.write("model/formats/a.hpp", "#include \"model/formats/b.hpp\"\n");
  folder.write("model/formats/b.hpp",
               "#include \"model/formats/a.hpp\"\n#include \"model/quantize/rule.hpp\"\n");
  folder.write("hw/units/unit.cpp", "#include \"model/formats/a.hpp\"\n");
  EXPECT_THAT(violations(), ElementsAre("hw/units/unit.cpp -> model/formats/a.hpp -> "
                                        "model/formats/b.hpp -> model/quantize/rule.hpp"));
}

TEST_F(IncludeRuleTree, ThroughRelativePaths) {
  folder.write("hw/units/unit.cpp", "#include \"../../model/quantize/rule.hpp\"\n");
  folder.write("hw/units/unit.hpp", "#include \"../step.hpp\"\n");
  folder.write("hw/step.hpp", "#include \"../model/quantize/rule.hpp\"\n");
  EXPECT_THAT(violations(),
              UnorderedElementsAre("hw/step.hpp -> model/quantize/rule.hpp",
                                   "hw/units/unit.cpp -> model/quantize/rule.hpp",
                                   "hw/units/unit.hpp -> hw/step.hpp -> model/quantize/rule.hpp"));
}

TEST_F(IncludeRuleTree, OfFilesThatAreNotThere) {
  folder.write("hw/units/unit.cpp", "#include \"model/quantize/gone.hpp\"\n");
  EXPECT_THAT(violations(), ElementsAre("hw/units/unit.cpp -> model/quantize/gone.hpp"));
}

TEST_F(IncludeRuleTree, FolderOfSimilarNameIsAllowed) {
  std::filesystem::create_directories(folder.path() / "model/quantize_names");
  folder.write("model/quantize_names/names.hpp", "");
  folder.write("hw/units/unit.cpp", "#include \"model/quantize_names/names.hpp\"\n");
  EXPECT_THAT(violations(), IsEmpty());
}

}  // namespace
}  // namespace nibblecore
