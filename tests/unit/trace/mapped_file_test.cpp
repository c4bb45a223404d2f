// SPDX-License-Identifier: Apache-2.0
#include "model/trace/mapped_file.hpp"

#include <algorithm>
#include <fstream>
#include <optional>
#include <string>

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

/// Bytes of files that this process has in memory.
int64_t resident_file_bytes() {
  std::ifstream status("/proc/self/status");
  std::string word;
  int64_t kilobytes = 0;
  while (status >> word && word != "RssFile:") {
  }
  status >> kilobytes;
  return kilobytes * 1024;
}

TEST(MappedFile, WhatIsReleasedTakesNoMemoryAndStaysReadable) {
  constexpr int64_t kSize = 32 << 20;
  constexpr int64_t kSlack = 4 << 20;  // a page may be one of 2 MiB, and goes as a whole
  const TemporaryFolder folder;
  const MappedFile file(folder.write("x", std::string(kSize, 'a')));
  const int64_t before = resident_file_bytes();
  const auto sum = [&](int64_t offset, int64_t size) {
    const std::string_view text = file.text(offset, size);
    return std::count(text.begin(), text.end(), 'a');
  };
  EXPECT_EQ(sum(0, kSize), kSize);
  EXPECT_GE(resident_file_bytes(), before + kSize - kSlack);
  file.release(file.data() + 100, kSize / 2);
  EXPECT_LE(resident_file_bytes(), before + kSize / 2 + kSlack);
  EXPECT_GE(resident_file_bytes(), before + kSize / 2 - kSlack);
  file.release(file.data(), 0);
  file.release(file.data() + kSize - 1, 1);
  EXPECT_EQ(sum(0, kSize), kSize);
  file.release(file.data(), kSize);
  EXPECT_LE(resident_file_bytes(), before + kSlack);
  EXPECT_EQ(sum(kSize - 10, 10), 10);
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
