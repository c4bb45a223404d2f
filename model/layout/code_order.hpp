// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

namespace nibblecore {

/// How the n codes of a block lie in its bytes.
enum class CodeOrder {
  kLowFirst,     ///< byte b: element 2b low, 2b + 1 high
  kHighFirst,    ///< byte b: element 2b high, 2b + 1 low
  kSplitHalves,  ///< byte b: element b low, b + n/2 high
  kUnpacked      ///< byte b: element b
};

/// Bytes that the codes of a block of `block` elements take.
constexpr int64_t code_bytes(CodeOrder order, int block) {
  return order == CodeOrder::kUnpacked ? block : block / 2;
}

/// Copies the codes of one block, a multiple of 4, from low-first order, block / 2 bytes, to
/// `order`.
void write_codes(CodeOrder order, int block, const uint8_t* low_first, uint8_t* bytes);

/// The way back. InputError at `place` where an unpacked byte is above 15.
void read_codes(CodeOrder order, int block, const uint8_t* bytes, uint8_t* low_first,
                const std::string& place);

}  // namespace nibblecore
