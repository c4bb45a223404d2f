// SPDX-License-Identifier: Apache-2.0
#include "model/import/require_json.hpp"

#include <algorithm>
#include <string_view>

#include "model/common/error.hpp"

namespace nibblecore {
namespace {

// Messages with their lengths in front, the first GlobalMetadata or a node: a varint, then the key
// of field 1 or 2 (wire type 2), or of a node's id. Lengths and strings bring control characters
// that no JSON text has.
bool looks_like_chakra(std::string_view start) {
  if (start.front() == '\0') {
    start.remove_prefix(1);  // a GlobalMetadata without fields
  }
  const auto byte = [&](size_t index) { return static_cast<unsigned char>(start[index]); };
  size_t key = 0;
  while (key < start.size() && byte(key) >= 0x80) {
    ++key;
  }
  ++key;
  if (key >= start.size() || (byte(key) != 0x0A && byte(key) != 0x12 && byte(key) != 0x08)) {
    return false;
  }
  return std::any_of(start.begin(), start.end(), [](char letter) {
    const auto code = static_cast<unsigned char>(letter);
    return code < 0x20 && code != '\t' && code != '\n' && code != '\r';
  });
}

}  // namespace

void require_json(ByteSource& source) {
  const std::string_view start = source.start();
  if (start.empty()) {
    throw InputError(source.name(), "is empty");
  }
  if (looks_like_chakra(start)) {
    throw InputError(source.name(),
                     "looks like a Chakra protobuf (.et): import the execution-trace JSON that it "
                     "was converted from");
  }
  const size_t first = start.find_first_not_of(" \t\r\n");
  const bool begins = first == std::string_view::npos || start[first] == '{' || start[first] == '[';
  if (!begins) {
    throw InputError(source.place(static_cast<int64_t>(first)),
                     "not JSON: a profile begins with '{' or '['");
  }
}

}  // namespace nibblecore
