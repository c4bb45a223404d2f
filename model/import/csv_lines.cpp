// SPDX-License-Identifier: Apache-2.0
#include "model/import/csv_lines.hpp"

#include <algorithm>

#include <boost/locale/utf.hpp>

#include "model/common/error.hpp"

namespace nibblecore {
namespace {

constexpr size_t kLongestLine = size_t{64} * 1024;

std::string_view trimmed(std::string_view text) {
  constexpr const char* kBlanks = " \t\r";
  const size_t begin = std::min(text.find_first_not_of(kBlanks), text.size());
  return text.substr(begin, text.find_last_not_of(kBlanks) + 1 - begin);
}

// Manifests are JSON, which has to be UTF-8.
bool is_utf8(std::string_view text) {
  namespace utf = boost::locale::utf;
  const char* position = text.data();
  while (position != text.data() + text.size()) {
    if (!utf::is_valid_codepoint(
            utf::utf_traits<char>::decode(position, text.data() + text.size()))) {
      return false;
    }
  }
  return true;
}

void require_plain(std::string_view text, const std::string& place) {
  if (!is_utf8(text)) {
    throw InputError(place, "is not UTF-8 text");
  }
  for (const char letter : text) {
    const auto code = static_cast<unsigned char>(letter);
    if (letter == '"' || (code < 0x20 && letter != '\t') || code == 0x7F) {
      throw InputError(place, letter == '"' ? "has quoted fields, which are not read"
                                            : "has a control character: not a CSV file");
    }
  }
}

}  // namespace

bool CsvLines::read_text() {
  text_.clear();
  bool any = false;
  while (!ended_) {
    if (piece_.empty()) {
      piece_ = source_.next();
      ended_ = piece_.empty();
      continue;
    }
    any = true;
    const size_t end = std::min(piece_.find('\n'), piece_.size());
    text_.append(piece_.substr(0, end));
    const bool complete = end < piece_.size();
    piece_.remove_prefix(std::min(end + 1, piece_.size()));
    if (text_.size() > kLongestLine) {
      throw InputError(source_.name() + ":" + std::to_string(number_ + 1),
                       "is longer than 64 KiB: not a CSV file of GEMMs");
    }
    if (complete) {
      break;
    }
  }
  number_ += any ? 1 : 0;
  return any;
}

bool CsvLines::next(CsvLine& line) {
  constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
  while (read_text()) {
    std::string_view text = text_;
    if (number_ == 1 && text.substr(0, kByteOrderMark.size()) == kByteOrderMark) {
      text.remove_prefix(kByteOrderMark.size());
    }
    text = trimmed(text);
    if (text.empty()) {
      continue;
    }
    line.place = source_.name() + ":" + std::to_string(number_);
    require_plain(text, line.place);
    if (text.back() == ',') {
      text.remove_suffix(1);
    }
    line.fields.clear();
    for (size_t begin = 0; begin <= text.size();) {
      const size_t end = std::min(text.find(',', begin), text.size());
      line.fields.emplace_back(trimmed(text.substr(begin, end - begin)));
      begin = end + 1;
    }
    return true;
  }
  return false;
}

}  // namespace nibblecore
