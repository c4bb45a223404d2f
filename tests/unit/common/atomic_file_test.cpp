// SPDX-License-Identifier: Apache-2.0
#include "model/common/atomic_file.hpp"

#include <csignal>
#include <string>

#include <sys/resource.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model/common/error.hpp"
#include "tests/unit/trace/temporary_folder.hpp"

namespace nibblecore {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

// While it lives, no file of this process grows beyond `bytes`: what a full disk looks like.
class FileSizeLimit {
 public:
  explicit FileSizeLimit(rlim_t bytes) : handler_(std::signal(SIGXFSZ, SIG_IGN)) {
    getrlimit(RLIMIT_FSIZE, &before_);
    rlimit limit = before_;
    limit.rlim_cur = bytes;
    setrlimit(RLIMIT_FSIZE, &limit);
  }
  ~FileSizeLimit() {
    setrlimit(RLIMIT_FSIZE, &before_);
    std::signal(SIGXFSZ, handler_);
  }
  FileSizeLimit(const FileSizeLimit&) = delete;
  FileSizeLimit& operator=(const FileSizeLimit&) = delete;

 private:
  void (*handler_)(int);
  rlimit before_{};
};

std::string write_error(const std::filesystem::path& path, const std::string& text) {
  return input_error([&] {
    AtomicFile file(path);
    file.stream() << text;
    file.commit();
  });
}

TEST(AtomicFile, AppearsAtCommit) {
  const TemporaryFolder folder;
  AtomicFile file(folder.path() / "x");
  file.stream() << "text";
  file.stream().flush();
  EXPECT_FALSE(std::filesystem::exists(folder.path() / "x"));
  file.commit();
  EXPECT_EQ(read_bytes(folder.path() / "x"), "text");
  EXPECT_THAT(folder.entries(), ElementsAre("x"));
}

TEST(AtomicFile, WithoutCommitTheOldFileStays) {
  const TemporaryFolder folder;
  folder.write("x", "old");
  {
    AtomicFile file(folder.path() / "x");
    file.stream() << "new";
  }
  EXPECT_EQ(read_bytes(folder.path() / "x"), "old");
  EXPECT_THAT(folder.entries(), ElementsAre("x"));
}

TEST(AtomicFile, CommitReplacesTheOldFile) {
  const TemporaryFolder folder;
  folder.write("x", "old and longer");
  EXPECT_THAT(write_error(folder.path() / "x", "new"), IsEmpty());
  EXPECT_EQ(read_bytes(folder.path() / "x"), "new");
}

TEST(AtomicFile, TwoWritersDontDisturbEachOther) {
  const TemporaryFolder folder;
  AtomicFile first(folder.path() / "x");
  AtomicFile second(folder.path() / "x");
  first.stream() << "first";
  second.stream() << "second";
  first.commit();
  EXPECT_EQ(read_bytes(folder.path() / "x"), "first");
  second.commit();
  EXPECT_EQ(read_bytes(folder.path() / "x"), "second");
}

TEST(AtomicFile, NameMayBeRelativeOrAsLongAsTheSystemAllows) {
  const TemporaryFolder folder;
  const std::string name(255, 'x');
  EXPECT_THAT(write_error(folder.path() / name, "text"), IsEmpty());
  EXPECT_EQ(read_bytes(folder.path() / name), "text");
  const auto before = std::filesystem::current_path();
  std::filesystem::current_path(folder.path());
  EXPECT_THAT(write_error("relative", "text"), IsEmpty());
  std::filesystem::current_path(before);
  EXPECT_EQ(read_bytes(folder.path() / "relative"), "text");
}

TEST(AtomicFile, SymbolicLinkIsFollowed) {
  const TemporaryFolder folder;
  folder.write("real", "old");
  std::filesystem::create_symlink("real", folder.path() / "link");
  EXPECT_THAT(write_error(folder.path() / "link", "new"), IsEmpty());
  EXPECT_TRUE(std::filesystem::is_symlink(folder.path() / "link"));
  EXPECT_EQ(read_bytes(folder.path() / "real"), "new");
}

TEST(AtomicFile, TargetsThatAreNotFilesAreRefused) {
  const TemporaryFolder folder;
  std::filesystem::create_directory(folder.path() / "folder");
  EXPECT_THAT(write_error(folder.path() / "folder", "x"), HasSubstr("not a regular file"));
  EXPECT_THAT(write_error("/dev/null", "x"), HasSubstr("/dev/null: cannot write"));
  EXPECT_THAT(write_error(folder.path() / "missing" / "x", "x"),
              HasSubstr("missing/x: cannot write"));
  EXPECT_THAT(folder.entries(), ElementsAre("folder"));
}

TEST(AtomicFile, FullDiskIsFoundHoweverLittleOrMuchIsWritten) {
  const TemporaryFolder folder;
  folder.write("x", "old");
  // Smaller and larger than the stream's buffer: the failure shows at close, or before.
  for (const size_t size : {size_t{5000}, size_t{1} << 20}) {
    std::string error;
    {
      const FileSizeLimit limit(4096);
      error = write_error(folder.path() / "x", std::string(size, 'n'));
    }
    EXPECT_THAT(error, HasSubstr("/x: cannot write all of it")) << size;
    EXPECT_EQ(read_bytes(folder.path() / "x"), "old");
    EXPECT_THAT(folder.entries(), ElementsAre("x"));
  }
}

TEST(AtomicFile, AFailedCloseIsNotForgotten) {
  const TemporaryFolder folder;
  const FileSizeLimit limit(4096);
  AtomicFile file(folder.path() / "x");
  file.stream() << std::string(5000, 'n');
  EXPECT_THROW(file.close(), InputError);
  EXPECT_THROW(file.commit(), InputError);
  EXPECT_FALSE(std::filesystem::exists(folder.path() / "x"));
}

}  // namespace
}  // namespace nibblecore
