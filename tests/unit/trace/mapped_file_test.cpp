// SPDX-License-Identifier: Apache-2.0
#include "model/trace/mapped_file.hpp"

#include <optional>

#include <sys/stat.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/trace/temporary_folder.hpp"

namespace nibblecore {
namespace {

using testing::AllOf;
using testing::HasSubstr;

TEST(MappedFile, HoldsTheBytesOfTheFile) {
  const TemporaryFolder folder;
  const MappedFile file(folder.write("x", std::string("ab\0cd", 5)));
  EXPECT_EQ(file.size(), 5);
  EXPECT_EQ(file.text(0, 5), std::string_view("ab\0cd", 5));
  EXPECT_EQ(file.text(3, 2), "cd");
}

TEST(MappedFile, CopyOutlivesTheOriginal) {
  const TemporaryFolder folder;
  std::optional<MappedFile> original(folder.write("x", "text"));
  const MappedFile copy = *original;
  original.reset();
  EXPECT_EQ(copy.text(0, 4), "text");
}

TEST(MappedFile, WhatCannotBeMappedIsAnInputErrorNamingIt) {
  const TemporaryFolder folder;
  const auto error_of = [&](const char* name) {
    return input_error([&] { const MappedFile file(folder.path() / name); });
  };
  folder.write("empty", "");
  ASSERT_EQ(mkfifo((folder.path() / "pipe").c_str(), 0600), 0);
  EXPECT_THAT(error_of("empty"), AllOf(HasSubstr("/empty: "), HasSubstr("is empty")));
  EXPECT_THAT(error_of("missing"), AllOf(HasSubstr("/missing: "), HasSubstr("No such file")));
  EXPECT_THAT(error_of("pipe"), HasSubstr("not a regular file"));
  EXPECT_THAT(error_of("."), HasSubstr("not a regular file"));
}

}  // namespace
}  // namespace nibblecore
