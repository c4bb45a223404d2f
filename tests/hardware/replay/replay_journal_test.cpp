// SPDX-License-Identifier: Apache-2.0
#include "tb/replay/replay_journal.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tb/journal/field_bytes.hpp"
#include "tests/hardware/replay/numeric_replay.hpp"
#include "tests/unit/trace/temporary_folder.hpp"

namespace nibblecore::tb {
namespace {

/// Numbers every field: each gets another value, from its own place.
class Numbering {
 public:
  template <typename T>
  void operator()(T& value) {
    if constexpr (std::is_arithmetic_v<T>) {
      value = static_cast<T>(++number_);
    } else {
      FieldsOf<T, Numbering>::visit(value, *this);
    }
  }
  void operator()(std::string& text) { text = "text " + std::to_string(++number_); }
  template <typename T>
  void operator()(std::optional<T>& value) {
    (*this)(value.emplace());
  }
  template <typename T>
  void operator()(std::vector<T>& values) {
    values.resize(2);
    (*this)(values[0]);
    (*this)(values[1]);
  }
  template <typename T, size_t kSize>
  void operator()(std::array<T, kSize>& values) {
    for (T& value : values) {
      (*this)(value);
    }
  }

 private:
  int number_ = 0;
};

/// An entry in which no field is as it is made.
JournalEntry full_entry(int64_t position) {
  JournalEntry entry;
  Numbering number;
  number(entry);
  entry.position = position;
  entry.id = 100 + position;
  return entry;
}

std::string bytes_of(JournalEntry entry) {
  FieldWriter write;
  write(entry);
  return write.bytes();
}

class ReplayJournalTest : public testing::Test {
 protected:
  /// Writes a journal of `count` entries and returns its bytes.
  std::string written(int count) const {
    std::filesystem::remove(path);
    ReplayJournal journal(folder.path());
    journal.open(identity);
    for (int i = 0; i < count; ++i) {
      EXPECT_FALSE(journal.take(i, 100 + i));
      journal.add(full_entry(i));
    }
    return read_bytes(path);
  }

  /// In a new file: to overwrite one may make the system wait for the disk.
  void rewrite(const std::string& bytes) const {
    std::filesystem::remove(path);
    folder.write("replay.journal", bytes);
  }

  /// How many entries the journal still gives; each is what was written.
  int sound_entries() const {
    ReplayJournal journal(folder.path());
    journal.open(identity);
    int count = 0;
    while (const auto entry = journal.take(count, 100 + count)) {
      EXPECT_EQ(bytes_of(*entry), bytes_of(full_entry(count)));
      ++count;
    }
    return count;
  }

  TemporaryFolder folder;
  std::filesystem::path path = folder.path() / "replay.journal";
  boost::json::object identity{{"seed", 1}};
};

TEST_F(ReplayJournalTest, EveryFieldOfAnOutcomeComesBack) {
  written(2);
  ReplayJournal journal(folder.path());
  journal.open(identity);
  const auto entry = journal.take(0, 100);
  ASSERT_TRUE(entry);
  EXPECT_EQ(bytes_of(*entry), bytes_of(full_entry(0)));
  // Some of them by name, should writer and reader forget the same ones.
  const Measures& found = entry->outcome.measures;
  const JournalEntry expected = full_entry(0);
  const Measures& measures = expected.outcome.measures;
  EXPECT_EQ(found.mismatches, measures.mismatches);
  EXPECT_EQ(found.emulator_mismatches, measures.emulator_mismatches);
  EXPECT_TRUE(found.cycles == measures.cycles);
  EXPECT_EQ(found.signal_to_noise.signal(), measures.signal_to_noise.signal());
  EXPECT_EQ(found.signal_to_noise.noise(), measures.signal_to_noise.noise());
  EXPECT_NE(found.signal_to_noise.noise(), 0);
  EXPECT_EQ(found.qdq_ulp.count(), measures.qdq_ulp.count());
  EXPECT_NE(found.qdq_ulp.count(), 0U);
  EXPECT_EQ(found.qdq_ulp.max(), measures.qdq_ulp.max());
  EXPECT_EQ(found.b.agreement.measured, measures.b.agreement.measured);
  EXPECT_EQ(entry->outcome.first_mismatch->found, expected.outcome.first_mismatch->found);
  EXPECT_EQ(entry->outcome.fault->ended_by, expected.outcome.fault->ended_by);
  ASSERT_EQ(entry->observations.size(), 2U);
  EXPECT_EQ(entry->observations[1].head->layer, expected.observations[1].head->layer);
}

TEST_F(ReplayJournalTest, TornAnywhereInItsLastEntryItGivesTheOthers) {
  const size_t two = written(2).size();
  const std::string three = written(3);
  for (size_t size = two; size <= three.size(); ++size) {
    rewrite(three.substr(0, size));
    ASSERT_EQ(sound_entries(), size == three.size() ? 3 : 2) << size;
  }
}

TEST_F(ReplayJournalTest, TornInItsHeaderItBeginsAnew) {
  const std::string empty = written(0);
  for (size_t size = 0; size < empty.size(); ++size) {
    rewrite(empty.substr(0, size));
    ASSERT_EQ(sound_entries(), 0) << size;
    ASSERT_EQ(read_bytes(path), empty) << size;
  }
}

TEST_F(ReplayJournalTest, AChangedByteIsRefusedOrCutNeverTaken) {
  const size_t header = written(0).size();
  const size_t entry = written(1).size() - header;
  const std::string two = written(2);
  for (size_t i = 0; i < two.size(); ++i) {
    std::string changed = two;
    changed[i] = static_cast<char>(changed[i] ^ 0x10);
    rewrite(changed);
    int sound = 0;
    const std::string error = input_error([&] { sound = sound_entries(); });
    if (i >= header) {
      ASSERT_EQ(error, "") << i;
      ASSERT_EQ(sound, i < header + entry ? 0 : 1) << i;
    } else if (error.empty()) {
      // A length that leads beyond the end looks like a header that was not finished.
      ASSERT_EQ(sound, 0) << i;
    } else {
      ASSERT_EQ(error.find(path.string() + ": "), 0U) << i;
      ASSERT_EQ(read_bytes(path), changed) << i;
    }
  }
}

TEST_F(ReplayJournalTest, AnotherReplayIsRefusedAndKept) {
  const std::string bytes = written(2);
  ReplayJournal journal(folder.path());
  EXPECT_EQ(input_error([&] {
              journal.open({{"seed", 2}});
            }),
            path.string() +
                ": is of another replay: \"seed\" was 1 and is 2; remove it to replay "
                "everything again");
  EXPECT_EQ(read_bytes(path), bytes);
}

TEST_F(ReplayJournalTest, AnotherGemmIsRefused) {
  written(1);
  const auto error_of = [&](int64_t position, int64_t id) {
    ReplayJournal journal(folder.path());
    journal.open(identity);
    return input_error([&] { journal.take(position, id); });
  };
  EXPECT_EQ(error_of(0, 7), path.string() + ": holds GEMM 100 where GEMM 7 should be");
  EXPECT_NE(error_of(1, 100), "");
}

TEST_F(ReplayJournalTest, OneReplayAtATime) {
  ReplayJournal first(folder.path());
  first.open(identity);
  ReplayJournal second(folder.path());
  EXPECT_EQ(input_error([&] { second.open(identity); }),
            path.string() + ": another process is at work with it");
  first.remove();
  EXPECT_NO_THROW(second.open(identity));
}

TEST_F(ReplayJournalTest, IsInTheWayOfAReplayThatDoesNotResume) {
  EXPECT_NO_THROW(require_no_journal(folder.path()));
  written(0);
  EXPECT_EQ(input_error([&] { require_no_journal(folder.path()); }).find(path.string()), 0U);
}

TEST(ReplayWithJournal, GoesOnBehindWhatItHolds) {
  const NumericReplay small(3);
  const TemporaryFolder folder;
  {
    ReplayJournal journal(folder.path());
    EXPECT_EQ(replay(small.options, &journal).from_journal, 0);
  }
  const std::string whole = read_bytes(folder.path() / "replay.journal");
  folder.write("replay.journal", whole.substr(0, whole.size() - 1));
  {
    ReplayJournal journal(folder.path());
    EXPECT_EQ(replay(small.options, &journal).from_journal, 2);
  }
  EXPECT_EQ(read_bytes(folder.path() / "replay.journal"), whole);
}

TEST(ReplayWithJournal, AMismatchOfAnEarlierReplayIsOneOfThisToo) {
  const NumericReplay small(2);
  const TemporaryFolder folder;
  const std::filesystem::path path = folder.path() / "replay.journal";
  {
    ReplayJournal journal(folder.path());
    ASSERT_TRUE(replay(small.options, &journal).all_equal());
  }
  // The same journal with mismatches in its first entry.
  RecordFile source(path, "nibblecore replay journal 1\n");
  const std::string header = source.next().value();
  const std::string first = source.next().value();
  source.remove();
  JournalEntry entry;
  FieldReader read(first, "first entry");
  read(entry);
  entry.outcome.measures.mismatches = 3;
  entry.outcome.first_mismatch = Mismatch{1, 2, 3, 4};
  {
    RecordFile changed(path, "nibblecore replay journal 1\n");
    changed.append(header);
    changed.append(bytes_of(entry));
  }
  ReplayJournal journal(folder.path());
  const ReplayResult result = replay(small.options, &journal);
  EXPECT_FALSE(result.all_equal());
  EXPECT_EQ(result.from_journal, 1);
  EXPECT_EQ(result.totals.mismatches, 3);
  ASSERT_EQ(result.gemms.size(), 2U);
  EXPECT_EQ(result.gemms[0].first_mismatch->found, 4U);
  EXPECT_FALSE(result.gemms[1].first_mismatch);
}

}  // namespace
}  // namespace nibblecore::tb
