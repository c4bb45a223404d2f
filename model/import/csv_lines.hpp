// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "model/import/byte_source.hpp"

namespace nibblecore {

/// A line of a CSV file that is not blank.
struct CsvLine {
  std::string place;                ///< "file:line", for messages
  std::vector<std::string> fields;  ///< without blanks around them
};

/// The lines of a CSV file: fields between commas, one comma more at the end of a line allowed,
/// lines end in LF or CR LF, the last perhaps in nothing, a byte order mark is skipped. InputError
/// naming the line where it is longer than 64 KiB, not UTF-8, or has a quotation mark or another
/// control character than a tab.
class CsvLines {
 public:
  explicit CsvLines(ByteSource& source) : source_(source) {}

  /// The next line; false at the end.
  bool next(CsvLine& line);

 private:
  bool read_text();

  ByteSource& source_;
  std::string_view piece_;
  bool ended_ = false;
  std::string text_;
  int64_t number_ = 0;
};

}  // namespace nibblecore
