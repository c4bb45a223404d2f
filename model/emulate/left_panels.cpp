// SPDX-License-Identifier: Apache-2.0
#include "model/emulate/left_panels.hpp"

#include <algorithm>

#include "model/common/checked.hpp"
#include "model/common/parallel.hpp"
#include "model/emulate/tile_kernels.hpp"

namespace nibblecore {

LeftPanels::LeftPanels(const PackedMatrix& matrix, EmulatorTarget target, int threads)
    : panels_(ceil_divide(matrix.rows, kPanelRows)),
      blocks_(matrix.blocks()),
      length_(matrix.format.block),
      scales_(checked_multiply(checked_multiply(panels_, kPanelRows, "rows"), blocks_, "scales")),
      ranges_(static_cast<size_t>(panels_ * blocks_)) {
  elements_ = AlignedBuffer<uint8_t>(
      checked_multiply(panels_ * kPanelRows * blocks_, length_, "decoded operand"));
  const CodeExpander expander(matrix.format, tile_kernels(target, matrix.format.block).a_form,
                              target);
  parallel_for(panels_, 1, threads, [&](int64_t begin, int64_t end) {
    for (int64_t panel = begin; panel < end; ++panel) {
      decode_panel(matrix, expander, panel);
    }
  });
  for (const ScaleRange& range : ranges_) {
    range_.include(range);
  }
}

void LeftPanels::decode_panel(const PackedMatrix& matrix, const CodeExpander& expander,
                              int64_t panel) {
  const int64_t first = panel * kPanelRows;
  const int64_t rows = std::min<int64_t>(kPanelRows, matrix.rows - first);
  // A line of every row after the other: what is written of the panel meanwhile stays in a cache.
  const int64_t some = blocks_of_line(length_);
  for (int64_t block = 0; block < blocks_; block += some) {
    const int64_t end = std::min(blocks_, block + some);
    fetch_to_write(elements(panel, end), elements(panel, std::min(blocks_, end + some)));
    for (int64_t i = 0; i < rows; ++i) {
      decode(matrix, expander, first + i, block, end);
    }
  }
  for (int64_t block = 0; block < blocks_; ++block) {
    const int64_t index = panel * blocks_ + block;
    float* scales = scales_.data() + index * kPanelRows;
    std::fill(scales + rows, scales + kPanelRows, 0.0F);
    std::fill_n(elements_.data() + (index * kPanelRows + rows) * length_,
                (kPanelRows - rows) * length_, expander.bias());
    ranges_[static_cast<size_t>(index)] = range_of(scales, rows);
  }
}

void LeftPanels::decode(const PackedMatrix& matrix, const CodeExpander& expander, int64_t row,
                        int64_t block, int64_t end) {
  const ScaleNumbers& numbers = scale_numbers(matrix.format.scale);
  const int64_t scale_bytes = matrix.format.scale_bytes();
  const uint8_t* scale = matrix.row_scales(row) + block * scale_bytes;
  int64_t index = (row / kPanelRows * blocks_ + block) * kPanelRows + row % kPanelRows;
  const uint8_t* codes = matrix.row_codes(row) + block * length_ / 2;
  fetch_next_lines(codes);
  expander.expand(codes, scale, end - block, elements_.data() + index * length_,
                  kPanelRows * length_);
  for (; block < end; ++block, index += kPanelRows, scale += scale_bytes) {
    scales_.data()[index] = numbers[*scale];
  }
}

}  // namespace nibblecore
