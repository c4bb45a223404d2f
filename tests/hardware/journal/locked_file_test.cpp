// SPDX-License-Identifier: Apache-2.0
#include "tb/journal/locked_file.hpp"

#include <optional>

#include <sys/stat.h>

#include <gtest/gtest.h>

#include "tests/unit/trace/temporary_folder.hpp"

namespace nibblecore::tb {
namespace {

class LockedFileTest : public testing::Test {
 protected:
  TemporaryFolder folder;
  std::filesystem::path path = folder.path() / "file";
};

TEST_F(LockedFileTest, AppendsReadsAndCuts) {
  folder.write("file", "old ");
  LockedFile file(path);
  file.append("and ");
  file.append("new");
  EXPECT_EQ(file.size(), 11);
  EXPECT_EQ(file.read(4, 5), "and n");
  EXPECT_EQ(file.read(8, 100), "new");
  EXPECT_EQ(file.read(11, 1), "");
  file.cut(4);
  file.append("end");
  EXPECT_EQ(read_bytes(path), "old end");
}

TEST_F(LockedFileTest, OneAtATimeHasIt) {
  std::optional<LockedFile> first(path);
  EXPECT_EQ(input_error([&] { const LockedFile second(path); }),
            path.string() + ": another process is at work with it");
  first.reset();
  EXPECT_NO_THROW(const LockedFile second(path));
}

TEST_F(LockedFileTest, ARemovedFileIsMadeAnew) {
  std::optional<LockedFile> first(path);
  first->append("text");
  first->remove();
  EXPECT_FALSE(std::filesystem::exists(path));
  // While the first one still holds the lock of a file without a name.
  const LockedFile second(path);
  EXPECT_EQ(second.size(), 0);
  EXPECT_TRUE(std::filesystem::exists(path));
}

TEST_F(LockedFileTest, WhatCannotBeOpenedIsAnInputErrorNamingIt) {
  const auto error_of = [&](const std::filesystem::path& name) {
    return input_error([&] { const LockedFile file(name); });
  };
  ASSERT_EQ(mkfifo(path.c_str(), 0600), 0);
  EXPECT_EQ(error_of(path), path.string() + ": is not a regular file");
  EXPECT_EQ(error_of(folder.path()), folder.path().string() + ": is not a regular file");
  const std::filesystem::path nowhere = folder.path() / "no" / "file";
  EXPECT_EQ(error_of(nowhere), nowhere.string() + ": cannot open: No such file or directory");
}

}  // namespace
}  // namespace nibblecore::tb
