// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

namespace nibblecore {

/// `value` as 8 little-endian bytes.
inline std::string little_endian(uint64_t value) {
  std::string bytes;
  for (int i = 0; i < 8; ++i) {
    bytes += static_cast<char>(value >> (8 * i));
  }
  return bytes;
}

/// A safetensors file of this header and buffer, valid or not.
inline std::string safetensors_bytes(const std::string& header, const std::string& buffer) {
  return little_endian(header.size()) + header + buffer;
}

}  // namespace nibblecore
