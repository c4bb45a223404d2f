// SPDX-License-Identifier: Apache-2.0
#include "model/layout/scale_word.hpp"

namespace nibblecore {
namespace {

uint8_t reversed_bits(uint8_t byte) {
  int reversed = 0;
  for (int bit = 0; bit < 8; ++bit) {
    reversed |= ((byte >> bit) & 1) << (7 - bit);
  }
  return static_cast<uint8_t>(reversed);
}

/// Byte `index` of a scale with its micro-exponents in the other order. A reversed 16-bit field is
/// its two reversed bytes, exchanged; the exchange is in the word's positions.
uint8_t ordered(const ScaleWord& word, size_t index, uint8_t byte) {
  return index > 0 && word.bits == BitOrder::kMostFirst ? reversed_bits(byte) : byte;
}

}  // namespace

std::array<uint8_t, 4> write_scale_word(const ScaleWord& word,
                                        const std::array<uint8_t, 4>& scale) {
  std::array<uint8_t, 4> bytes{};
  for (size_t i = 0; i < scale.size(); ++i) {
    bytes[word.position[i]] = ordered(word, i, scale[i]);
  }
  return bytes;
}

std::array<uint8_t, 4> read_scale_word(const ScaleWord& word, const std::array<uint8_t, 4>& bytes) {
  std::array<uint8_t, 4> scale{};
  for (size_t i = 0; i < scale.size(); ++i) {
    scale[i] = ordered(word, i, bytes[word.position[i]]);
  }
  return scale;
}

}  // namespace nibblecore
