// SPDX-License-Identifier: Apache-2.0
#include "tb/journal/record_file.hpp"

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/unit/trace/temporary_folder.hpp"

namespace nibblecore::tb {
namespace {

constexpr std::string_view kTitle = "title 1\n";
using Records = std::vector<std::string>;

class RecordFileTest : public testing::Test {
 protected:
  /// The file's records.
  Records records() const {
    RecordFile file(path, kTitle);
    return rest(file);
  }

  static Records rest(RecordFile& file) {
    Records found;
    while (const std::optional<std::string> record = file.next()) {
      found.push_back(*record);
    }
    return found;
  }

  /// The bytes of a file of these records.
  std::string written(const Records& all) const {
    std::filesystem::remove(path);
    RecordFile file(path, kTitle);
    for (const std::string& record : all) {
      file.append(record);
    }
    return read_bytes(path);
  }

  /// In a new file: to overwrite one may make the system wait for the disk.
  void rewrite(const std::string& bytes) const {
    std::filesystem::remove(path);
    folder.write("file", bytes);
  }

  TemporaryFolder folder;
  std::filesystem::path path = folder.path() / "file";
};

TEST_F(RecordFileTest, GivesBackWhatWasAppended) {
  const Records all{"first", "", std::string("\0\xFF\n", 3), std::string(100'000, 'x')};
  written(all);
  EXPECT_EQ(records(), all);
  RecordFile file(path, kTitle);
  EXPECT_EQ(rest(file), all);
  EXPECT_EQ(file.tail(), Tail::kNothing);
  file.append("more");
  EXPECT_EQ(file.next(), std::nullopt);
}

TEST_F(RecordFileTest, TornAnywhereItGoesOnBehindTheLastWholeRecord) {
  const Records all{"first", "second one", "third"};
  const std::string whole = written(all);
  const size_t two = written({all[0], all[1]}).size();
  const size_t one = written({all[0]}).size();
  for (size_t size = 0; size < whole.size(); ++size) {
    SCOPED_TRACE(size);
    rewrite(whole.substr(0, size));
    Records expected(all.begin(), all.begin() + (size >= two ? 2 : size >= one ? 1 : 0));
    {
      RecordFile file(path, kTitle);
      EXPECT_EQ(rest(file), expected);
      const bool is_torn = size > kTitle.size() && size != one && size != two;
      EXPECT_EQ(file.tail(), is_torn ? Tail::kTorn : Tail::kNothing);
      file.append("new");
    }
    expected.emplace_back("new");
    EXPECT_EQ(records(), expected);
  }
}

TEST_F(RecordFileTest, AChangedBitHidesItsRecordAndThoseBehind) {
  const Records all{"first", "second one", "third"};
  const std::string whole = written(all);
  const size_t two = written({all[0], all[1]}).size();
  const size_t one = written({all[0]}).size();
  for (size_t bit = kTitle.size() * 8; bit < whole.size() * 8; ++bit) {
    SCOPED_TRACE(bit);
    std::string changed = whole;
    changed[bit / 8] = static_cast<char>(changed[bit / 8] ^ 1 << bit % 8);
    rewrite(changed);
    const std::ptrdiff_t sound = bit / 8 >= two ? 2 : bit / 8 >= one ? 1 : 0;
    RecordFile file(path, kTitle);
    EXPECT_EQ(rest(file), Records(all.begin(), all.begin() + sound));
    EXPECT_NE(file.tail(), Tail::kNothing);
  }
}

TEST_F(RecordFileTest, ZerosAreNoRecords) {
  const std::string whole = written({"first"});
  rewrite(whole + std::string(64, '\0'));
  RecordFile file(path, kTitle);
  EXPECT_EQ(rest(file), Records{"first"});
  EXPECT_EQ(file.tail(), Tail::kDamaged);
}

TEST_F(RecordFileTest, ReadingAloneChangesNothing) {
  const std::string torn = written({"first", "second"}) + "torn";
  rewrite(torn);
  EXPECT_EQ(records(), (Records{"first", "second"}));
  EXPECT_EQ(read_bytes(path), torn);
}

TEST_F(RecordFileTest, AnotherTitleIsRefusedAndKept) {
  for (const char* const text : {"title 2\n", "x", "Title 1\nand more"}) {
    rewrite(text);
    EXPECT_EQ(input_error([&] { const RecordFile file(path, kTitle); }),
              path.string() + ": begins with something else than 'title 1'");
    EXPECT_EQ(read_bytes(path), text);
  }
}

}  // namespace
}  // namespace nibblecore::tb
