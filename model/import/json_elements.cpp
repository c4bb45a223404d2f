// SPDX-License-Identifier: Apache-2.0
#include "model/import/json_elements.hpp"

#include <cstddef>

#include <boost/json/basic_parser_impl.hpp>

#include "model/common/error.hpp"
#include "model/import/element_handler.hpp"

namespace nibblecore {
namespace {

namespace json = boost::json;

constexpr int kDeepest = 64;

bool is_blank(std::string_view text) {
  return text.find_first_not_of(" \t\r\n") == std::string_view::npos;
}

}  // namespace

bool read_json_elements(ByteSource& source, const JsonElements& wanted) {
  json::parse_options options;
  options.max_depth = kDeepest;
  json::basic_parser<ElementHandler> parser(options, wanted, source.name());
  int64_t offset = 0;
  const auto fail = [&](size_t read, const std::string& reason) {
    throw InputError(source.place(offset + static_cast<int64_t>(read)),
                     "not valid JSON: " + reason + " (after element " +
                         std::to_string(parser.handler().elements()) + ")");
  };
  std::string_view piece = source.next();
  while (true) {
    const bool more = !piece.empty();
    json::error_code error;
    size_t read = 0;
    if (!parser.done()) {
      read = parser.write_some(more, piece.data(), piece.size(), error);
    }
    if (error) {
      fail(read, error == json::error::incomplete ? "the document ends early" : error.message());
    }
    if (parser.done() && !is_blank(piece.substr(read))) {
      fail(read, "text follows the document");
    }
    if (!more) {
      return parser.handler().found_array();
    }
    offset += static_cast<int64_t>(piece.size());
    piece = source.next();
  }
}

}  // namespace nibblecore
