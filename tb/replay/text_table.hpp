// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <vector>

namespace nibblecore::tb {

/// A table for a terminal: columns as wide as their widest cell; text to the left, figures to the
/// right.
class TextTable {
 public:
  enum class Align { kLeft, kRight };

  TextTable() = default;
  /// Columns of text, then columns of figures.
  TextTable(std::initializer_list<const char*> texts,
            std::initializer_list<const char*> figures = {});

  /// Adds a column; all before the first row.
  void add_column(std::string title, Align align);
  /// One cell a column.
  void add_row(std::vector<std::string> cells);
  std::string text() const;

 private:
  std::vector<std::string> titles_;
  std::vector<Align> aligns_;
  std::vector<std::vector<std::string>> rows_;
};

/// 6316032 as "6,316,032".
std::string grouped(int64_t value);

}  // namespace nibblecore::tb
