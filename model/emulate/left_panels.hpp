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

/// Operand A of a GEMM (or its residual), decoded once into panels of kPanelRows rows. Rows past
/// the end are zeros under scale 0.
class LeftPanels {
 public:
  /// Decodes `matrix` on up to `threads` threads in the form that `target` takes.
  LeftPanels(const PackedMatrix& matrix, EmulatorTarget target, int threads);

  int64_t panels() const { return panels_; }
  int64_t blocks() const { return blocks_; }
  /// Elements and scales of one block of a panel, as TileBlocks has them.
  const uint8_t* elements(int64_t panel, int64_t block) const {
    return elements_.data() + (panel * blocks_ + block) * kPanelRows * length_;
  }
  const float* scales(int64_t panel, int64_t block) const {
    return scales_.data() + (panel * blocks_ + block) * kPanelRows;
  }
  /// Range of those scales.
  const ScaleRange& range(int64_t panel, int64_t block) const {
    return ranges_[static_cast<size_t>(panel * blocks_ + block)];
  }
  /// Range of all scales.
  const ScaleRange& range() const { return range_; }

 private:
  void decode_panel(const PackedMatrix& matrix, const CodeExpander& expander, int64_t panel);
  void decode(const PackedMatrix& matrix, const CodeExpander& expander, int64_t row, int64_t block,
              int64_t end);

  int64_t panels_;
  int64_t blocks_;
  int64_t length_;
  AlignedBuffer<uint8_t> elements_;
  AlignedBuffer<float> scales_;
  std::vector<ScaleRange> ranges_;
  ScaleRange range_;
};

}  // namespace nibblecore
