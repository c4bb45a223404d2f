// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "model/emulate/emulator_target.hpp"
#include "model/emulate/tile_shape.hpp"
#include "model/formats/block_format.hpp"

namespace nibblecore {

/// Makes bytes of packed codes, as TileBlocks has them.
class CodeExpander {
 public:
  CodeExpander(const BlockFormat& format, ElementForm form, EmulatorTarget target);

  /// Writes the elements of `blocks` blocks of a row, one block every `stride` bytes; `scales` are
  /// their scale bytes.
  void expand(const uint8_t* codes, const uint8_t* scales, int64_t blocks, uint8_t* elements,
              std::ptrdiff_t stride) const;

  /// What is added to every element: 0 for ElementForm::kSigned.
  uint8_t bias() const { return bias_; }

 private:
  int length_;
  bool is_hif4_;
  bool has_shuffle_;
  uint8_t bias_;
};

/// The largest magnitude of an element: the bias of ElementForm::kBiased.
int largest_element(ElementKind kind);

/// Fetches the lines of a row behind this one: too many rows are read in turn for the processor to
/// foresee it.
inline void fetch_next_lines(const uint8_t* codes) {
  constexpr std::ptrdiff_t line = 64;
  __builtin_prefetch(codes + line);
  __builtin_prefetch(codes + 2 * line);
}

/// Asks for the lines of [begin, end) in order to write all of them: the next elements to be
/// decoded, so that they arrive while these are.
template <class Byte>
void fetch_to_write(const Byte* begin, const Byte* end) {
  constexpr std::ptrdiff_t line = 64;
  for (; begin < end; begin += std::min(line, end - begin)) {
    __builtin_prefetch(begin, 1);
  }
}

/// Blocks of this length that a cache line of codes holds: what is decoded of a row at a time.
constexpr int64_t blocks_of_line(int64_t length) { return 128 / length; }

}  // namespace nibblecore
