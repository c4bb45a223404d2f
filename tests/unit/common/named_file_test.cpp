// SPDX-License-Identifier: Apache-2.0
#include "model/common/named_file.hpp"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "tests/unit/trace/temporary_folder.hpp"

namespace nibblecore {
namespace {

using Thing = std::pair<std::string, std::string>;  // name, text

Thing load(std::string_view name_or_path) {
  const std::vector<Thing> built_in{{"one", "first"}, {"two", "second"}};
  return load_named(
      NamedFileKind{"--thing", "thing", "a thing's file"}, built_in, name_or_path,
      [](const Thing& thing) -> std::string_view { return thing.first; },
      [](const std::string& text, const std::string& path) {
        return Thing{path, text};
      });
}

TEST(NamedFile, WhatIsBuiltInGoesByItsName) { EXPECT_EQ(load("two").second, "second"); }

TEST(NamedFile, AnythingElseIsAFile) {
  const TemporaryFolder folder;
  folder.write("one", "of its own");
  const std::string path = (folder.path() / "one").string();
  EXPECT_EQ(load(path), Thing(path, "of its own"));
}

TEST(NamedFile, WhereThereIsNoFileTheBuiltInNamesAreTold) {
  EXPECT_EQ(input_error([] { load("three"); }),
            "--thing: \"three\" is neither a built-in thing (one, two) nor a file");
}

}  // namespace
}  // namespace nibblecore
