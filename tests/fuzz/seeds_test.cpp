// SPDX-License-Identifier: Apache-2.0
// The inputs that fuzzing starts from, and those that it has found a bug by: good-* are accepted,
// bad-* are refused.
#include <algorithm>
#include <filesystem>
#include <ostream>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/fuzz/fuzz_reader.hpp"
#include "tests/unit/trace/temporary_folder.hpp"

namespace nibblecore {

// For messages of failures.
std::ostream& operator<<(std::ostream& stream, const FuzzReader& reader) {
  return stream << reader.name;
}
std::ostream& operator<<(std::ostream& stream, Verdict verdict) {
  return stream << (verdict == Verdict::kAccepted ? "accepted" : "refused");
}

namespace {

namespace fs = std::filesystem;

using testing::Contains;
using testing::StartsWith;

const fs::path& repository() {
  static const fs::path path = NIBBLECORE_SOURCE_FOLDER;
  return path;
}

std::vector<fs::path> files_of(const fs::path& folder) {
  std::vector<fs::path> files;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
    files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

class FuzzSeeds : public testing::TestWithParam<FuzzReader> {};

TEST_P(FuzzSeeds, AreAcceptedOrRefusedAsTheirNamesSay) {
  std::vector<std::string> names;
  for (const fs::path& file :
       files_of(repository() / "tests" / "data" / "fuzz" / GetParam().name)) {
    names.push_back(file.filename().string());
    const bool is_good = names.back().rfind("good-", 0) == 0;
    EXPECT_EQ(GetParam().read(read_bytes(file)), is_good ? Verdict::kAccepted : Verdict::kRefused)
        << file;
    EXPECT_TRUE(is_good || names.back().rfind("bad-", 0) == 0) << file;
  }
  EXPECT_THAT(names, Contains(StartsWith("good-")));
  EXPECT_THAT(names, Contains(StartsWith("bad-")));
}

TEST_P(FuzzSeeds, FilesOfTheProjectAreAccepted) {
  for (const std::string_view folder : GetParam().more_seeds) {
    const std::vector<fs::path> files = files_of(repository() / folder);
    EXPECT_FALSE(files.empty()) << folder;
    for (const fs::path& file : files) {
      EXPECT_EQ(GetParam().read(read_bytes(file)), Verdict::kAccepted) << file;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Readers, FuzzSeeds, testing::ValuesIn(fuzz_readers()),
                         [](const auto& reader) { return std::string(reader.param.name); });

}  // namespace
}  // namespace nibblecore
