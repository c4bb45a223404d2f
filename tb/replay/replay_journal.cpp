// SPDX-License-Identifier: Apache-2.0
#include "tb/replay/replay_journal.hpp"

#include <string>
#include <system_error>
#include <utility>

#include <boost/json/serialize.hpp>

#include "model/common/error.hpp"
#include "model/common/strict_json.hpp"
#include "tb/journal/field_bytes.hpp"
#include "tb/replay/replay_files.hpp"
#include "tb/replay/replay_identity.hpp"

namespace nibblecore::tb {
namespace {

constexpr const char* kJournalName = "replay.journal";
constexpr std::string_view kTitle = "nibblecore replay journal 1\n";

}  // namespace

ReplayJournal::ReplayJournal(std::filesystem::path folder)
    : folder_(std::move(folder)), path_(folder_ / kJournalName) {}

void ReplayJournal::open(const boost::json::object& identity) {
  make_output_folder(folder_);
  file_.emplace(path_, kTitle);
  const std::string text = boost::json::serialize(identity);
  const std::optional<std::string> header = file_->next();
  if (!header) {
    if (file_->tail() == Tail::kDamaged) {
      throw InputError(path_.string(),
                       "is damaged at its beginning; remove it to replay everything again");
    }
    file_->append(text);
  } else if (*header != text) {
    // Both from text, where numbers may be less exact than in `identity`.
    const std::string place = path_.string();
    throw InputError(place, "is of another replay: " +
                                first_difference(parse_strict_json(*header, place, 0),
                                                 parse_strict_json(text, place, 0)) +
                                "; remove it to replay everything again");
  }
}

std::optional<JournalEntry> ReplayJournal::take(int64_t position, int64_t id) {
  const std::optional<std::string> record = file_->next();
  if (!record) {
    return std::nullopt;
  }
  JournalEntry entry;
  FieldReader read(*record, path_.string() + ", where GEMM " + std::to_string(id) + " should be");
  read(entry);
  read.require_end();
  if (entry.position != position || entry.id != id) {
    throw InputError(path_.string(), "holds GEMM " + std::to_string(entry.id) + " where GEMM " +
                                         std::to_string(id) + " should be");
  }
  return entry;
}

void ReplayJournal::add(JournalEntry entry) {
  FieldWriter write;
  write(entry);
  file_->append(write.bytes());
}

void ReplayJournal::remove() { file_->remove(); }

void require_no_journal(const std::filesystem::path& folder) {
  std::error_code ignored;
  const std::filesystem::path path = folder / kJournalName;
  if (std::filesystem::exists(path, ignored)) {
    throw InputError(path.string(),
                     "a replay was stopped here, or is under way: go on with --resume, or remove "
                     "the file");
  }
}

}  // namespace nibblecore::tb
