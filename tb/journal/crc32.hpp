// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string_view>

namespace nibblecore::tb {

/// The CRC-32 of zlib (ISO 3309) of these bytes, one part behind the other.
uint32_t crc32(std::initializer_list<std::string_view> parts);

}  // namespace nibblecore::tb
