// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "tb/journal/locked_file.hpp"

namespace nibblecore::tb {

/// What follows the last record that is whole and sound.
enum class Tail {
  kNothing,
  kTorn,     ///< the beginning of a record: its writer was stopped
  kDamaged,  ///< bytes that are not what was written
};

/// A file of records behind a title, written one after the other: read first, then appended to.
/// Each record has its length and a CRC-32 of length and bytes in front of it, so that what a
/// stopped writer leaves behind is recognised. Locked as LockedFile is; its failures are
/// InputErrors.
class RecordFile {
 public:
  /// Opens the file, or makes it; one that was left within the title begins anew. InputError where
  /// it begins with something else.
  RecordFile(const std::filesystem::path& path, std::string_view title);

  /// The next record; nothing behind the last one that is whole and sound.
  std::optional<std::string> next();
  /// What follows the records that next() has given, where it gives no more.
  Tail tail() const;
  /// Writes a record behind those that next() has given, in place of any tail.
  void append(std::string_view record);
  void remove() { file_.remove(); }

 private:
  LockedFile file_;
  int64_t end_ = 0;  ///< of the last record given or appended
};

}  // namespace nibblecore::tb
