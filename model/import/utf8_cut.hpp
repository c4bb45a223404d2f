// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string_view>

namespace nibblecore {

/// The last bytes of a UTF-8 text, `most` or up to three fewer: a character is not cut in two.
inline std::string_view last_bytes(std::string_view text, size_t most) {
  if (text.size() <= most) {
    return text;
  }
  text.remove_prefix(text.size() - most);
  while (!text.empty() && (static_cast<unsigned char>(text.front()) & 0xC0) == 0x80) {
    text.remove_prefix(1);
  }
  return text;
}

}  // namespace nibblecore
