// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <vector>

#include <boost/json/object.hpp>

#include "tb/journal/record_file.hpp"
#include "tb/replay/layer_measures.hpp"
#include "tb/replay/replay.hpp"

namespace nibblecore::tb {

/// A finished GEMM as a journal holds it.
struct JournalEntry {
  int64_t position = 0;  ///< among the records that pass the filter
  int64_t id = 0;        ///< of its record
  GemmOutcome outcome;
  std::vector<LayerObservation> observations;  ///< of its products, in order
};

/// The journal of a replay in its output folder: the GEMMs that are finished, so that a replay that
/// was stopped at any moment goes on behind the last of them (docs/resume.md).
class ReplayJournal {
 public:
  /// Of the replay that writes its report to `folder`. Touches nothing yet.
  explicit ReplayJournal(std::filesystem::path folder);

  /// Begins a journal, or goes on with the one that is there; makes the folder where it is missing.
  /// InputError where it is of another replay, saying what differs, where it is damaged in front of
  /// the first GEMM, or where another process has it open.
  void open(const boost::json::object& identity);

  /// What the journal holds of this GEMM; nothing behind its last one, and then never anything
  /// again. To be asked for every GEMM in order. InputError where it holds another GEMM here.
  std::optional<JournalEntry> take(int64_t position, int64_t id);
  /// Adds a GEMM for which take() had nothing.
  void add(JournalEntry entry);

  /// Removes the journal, once the report is written.
  void remove();

 private:
  std::filesystem::path folder_;
  std::filesystem::path path_;
  std::optional<RecordFile> file_;
};

/// InputError where the folder holds a journal: a replay that does not resume would leave it
/// behind.
void require_no_journal(const std::filesystem::path& folder);

}  // namespace nibblecore::tb
