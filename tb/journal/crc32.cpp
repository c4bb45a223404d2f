// SPDX-License-Identifier: Apache-2.0
#include "tb/journal/crc32.hpp"

#include <zlib.h>

namespace nibblecore::tb {

uint32_t crc32(std::initializer_list<std::string_view> parts) {
  uLong check = 0;
  for (const std::string_view part : parts) {
    // Of a null pointer zlib gives the CRC of nothing, whatever went before.
    if (!part.empty()) {
      check = ::crc32_z(check, static_cast<const Bytef*>(static_cast<const void*>(part.data())),
                        part.size());
    }
  }
  return static_cast<uint32_t>(check);
}

}  // namespace nibblecore::tb
