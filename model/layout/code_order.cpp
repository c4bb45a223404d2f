// SPDX-License-Identifier: Apache-2.0
#include "model/layout/code_order.hpp"

#include <algorithm>

#include "model/common/error.hpp"

namespace nibblecore {
namespace {

uint8_t low(uint8_t byte) { return byte & 0xF; }
uint8_t high(uint8_t byte) { return static_cast<uint8_t>(byte >> 4); }
uint8_t pair(uint8_t low_code, uint8_t high_code) {
  return static_cast<uint8_t>(low_code | (high_code << 4));
}

void swap_nibbles(int64_t block, const uint8_t* from, uint8_t* to) {
  std::transform(from, from + block / 2, to,
                 [](uint8_t byte) { return pair(high(byte), low(byte)); });
}

void split_halves(int64_t block, const uint8_t* from, uint8_t* to) {
  const uint8_t* const second_half = from + block / 4;
  for (int64_t i = 0; i < block / 4; ++i) {
    to[2 * i] = pair(low(from[i]), low(second_half[i]));
    to[2 * i + 1] = pair(high(from[i]), high(second_half[i]));
  }
}

void join_halves(int64_t block, const uint8_t* from, uint8_t* to) {
  uint8_t* const second_half = to + block / 4;
  for (int64_t i = 0; i < block / 4; ++i) {
    to[i] = pair(low(from[2 * i]), low(from[2 * i + 1]));
    second_half[i] = pair(high(from[2 * i]), high(from[2 * i + 1]));
  }
}

void unpack(int64_t block, const uint8_t* from, uint8_t* to) {
  for (int64_t i = 0; i < block / 2; ++i) {
    to[2 * i] = low(from[i]);
    to[2 * i + 1] = high(from[i]);
  }
}

void pack(int64_t block, const uint8_t* from, uint8_t* to, const std::string& place) {
  const uint8_t* const wrong =
      std::find_if(from, from + block, [](uint8_t byte) { return byte > 15; });
  if (wrong != from + block) {
    throw InputError(place, "byte " + std::to_string(*wrong) + " is no 4-bit code (0 to 15)");
  }
  for (int64_t i = 0; i < block / 2; ++i) {
    to[i] = pair(from[2 * i], from[2 * i + 1]);
  }
}

}  // namespace

void write_codes(CodeOrder order, int block, const uint8_t* low_first, uint8_t* bytes) {
  switch (order) {
    case CodeOrder::kLowFirst:
      std::copy_n(low_first, block / 2, bytes);
      return;
    case CodeOrder::kHighFirst:
      swap_nibbles(block, low_first, bytes);
      return;
    case CodeOrder::kSplitHalves:
      split_halves(block, low_first, bytes);
      return;
    case CodeOrder::kUnpacked:
      unpack(block, low_first, bytes);
      return;
  }
  throw InternalError("unknown order of codes");
}

void read_codes(CodeOrder order, int block, const uint8_t* bytes, uint8_t* low_first,
                const std::string& place) {
  switch (order) {
    case CodeOrder::kLowFirst:
      std::copy_n(bytes, block / 2, low_first);
      return;
    case CodeOrder::kHighFirst:
      swap_nibbles(block, bytes, low_first);
      return;
    case CodeOrder::kSplitHalves:
      join_halves(block, bytes, low_first);
      return;
    case CodeOrder::kUnpacked:
      pack(block, bytes, low_first, place);
      return;
  }
  throw InternalError("unknown order of codes");
}

}  // namespace nibblecore
