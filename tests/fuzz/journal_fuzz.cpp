// SPDX-License-Identifier: Apache-2.0
#include <optional>
#include <string>

#include "tb/journal/field_bytes.hpp"
#include "tb/journal/record_file.hpp"
#include "tb/replay/replay_journal.hpp"
#include "tests/fuzz/memory_file.hpp"
#include "tests/fuzz/readers.hpp"

namespace nibblecore {
namespace {

using tb::FieldReader;
using tb::FieldWriter;
using tb::JournalEntry;
using tb::RecordFile;

constexpr std::string_view kTitle = "journal\n";

void read_entry(std::string_view record) {
  JournalEntry entry;
  if (!accepts([&] {
        FieldReader read(record, "journal");
        read(entry);
        read.require_end();
      })) {
    return;
  }
  FieldWriter write;
  write(entry);
  require(write.bytes() == record, "an entry is written as it was read");
}

void read_all(const std::filesystem::path& path) {
  RecordFile file(path, kTitle);
  while (const std::optional<std::string> record = file.next()) {
    read_entry(*record);
  }
  file.append("more");
  require(!file.next(), "nothing follows what was appended");
  require(file.tail() == tb::Tail::kNothing, "an end that was no record is gone");
}

}  // namespace

// The bytes are a journal's, and an entry's besides: those of a journal seldom have the right
// check behind which they would be read.
Verdict fuzz_journal(std::string_view bytes) {
  read_entry(bytes);
  const MemoryFile file(bytes);
  return accepts([&] { read_all(file.path()); }) ? Verdict::kAccepted : Verdict::kRefused;
}

}  // namespace nibblecore
