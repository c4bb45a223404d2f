// SPDX-License-Identifier: Apache-2.0
#include "tb/replay/text_table.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace nibblecore::tb {

TextTable::TextTable(std::initializer_list<const char*> texts,
                     std::initializer_list<const char*> figures) {
  for (const char* title : texts) {
    add_column(title, Align::kLeft);
  }
  for (const char* title : figures) {
    add_column(title, Align::kRight);
  }
}

void TextTable::add_column(std::string title, Align align) {
  titles_.push_back(std::move(title));
  aligns_.push_back(align);
}

void TextTable::add_row(std::vector<std::string> cells) { rows_.push_back(std::move(cells)); }

std::string TextTable::text() const {
  std::vector<size_t> widths;
  for (size_t column = 0; column < titles_.size(); ++column) {
    size_t width = titles_[column].size();
    for (const auto& row : rows_) {
      width = std::max(width, row[column].size());
    }
    widths.push_back(width);
  }
  std::string text;
  const auto append = [&](const std::vector<std::string>& cells) {
    std::string line;
    for (size_t column = 0; column < cells.size(); ++column) {
      line += column == 0 ? "" : "  ";
      line += aligns_[column] == Align::kLeft
                  ? fmt::format("{:<{}}", cells[column], widths[column])
                  : fmt::format("{:>{}}", cells[column], widths[column]);
    }
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + "\n";
  };
  append(titles_);
  for (const auto& row : rows_) {
    append(row);
  }
  return text;
}

std::string grouped(int64_t value) {
  std::string digits = std::to_string(value);
  const size_t first = value < 0 ? 1 : 0;
  for (size_t position = digits.size(); position > first + 3;) {
    position -= 3;
    digits.insert(position, ",");
  }
  return digits;
}

}  // namespace nibblecore::tb
