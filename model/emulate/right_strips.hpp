// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "model/emulate/aligned_buffer.hpp"
#include "model/emulate/code_expander.hpp"
#include "model/emulate/emulator_target.hpp"
#include "model/emulate/scale_numbers.hpp"
#include "model/emulate/tile_shape.hpp"
#include "model/formats/packed_matrix.hpp"

namespace nibblecore {

/// Operand B of a GEMM, decoded once into strips of kStripColumns rows of B (columns of the result)
/// that lie side by side. Columns past the end are zeros under scale 0.
class RightStrips {
 public:
  /// Decodes `matrix` on up to `threads` threads for the kernels of `target`.
  RightStrips(const PackedMatrix& matrix, EmulatorTarget target, int threads);

  int64_t strips() const { return strips_; }
  int64_t blocks() const { return blocks_; }
  /// Elements, scales and starts of one block of a strip, as TileBlocks has them.
  const int8_t* elements(int64_t strip, int64_t block) const {
    return elements_.data() + (strip * blocks_ + block) * kStripColumns * length_;
  }
  const float* scales(int64_t strip, int64_t block) const {
    return scales_.data() + (strip * blocks_ + block) * kStripColumns;
  }
  const int32_t* starts(int64_t strip, int64_t block) const {
    return starts_.data() + (strip * blocks_ + block) * kStripColumns;
  }
  /// Range of those scales.
  const ScaleRange& range(int64_t strip, int64_t block) const {
    return ranges_[static_cast<size_t>(strip * blocks_ + block)];
  }
  /// Range of all scales.
  const ScaleRange& range() const { return range_; }

 private:
  void decode_strip(const PackedMatrix& matrix, const CodeExpander& expander, int64_t strip);
  void decode_columns(const PackedMatrix& matrix, const CodeExpander& expander, int64_t column,
                      int64_t block, int64_t end);

  int64_t strips_;
  int64_t blocks_;
  int64_t length_;
  int32_t bias_of_a_;
  AlignedBuffer<int8_t> elements_;
  AlignedBuffer<float> scales_;
  AlignedBuffer<int32_t> starts_;
  std::vector<ScaleRange> ranges_;
  ScaleRange range_;
};

}  // namespace nibblecore
