// SPDX-License-Identifier: Apache-2.0
#include "hw/units/operand_buffer.hpp"

#include <algorithm>

namespace nibblecore::hw {
namespace {

constexpr int64_t kHif4ScaleWord = 4;  // E6M2, E1_8, E1_16 low, E1_16 high

void clear(CodeSlice& codes, ScaleSlice& scales) {
  std::fill(codes.codes.begin(), codes.codes.end(), uint8_t{0});
  std::fill(codes.level2.begin(), codes.level2.end(), uint8_t{0});
  std::fill(codes.level3.begin(), codes.level3.end(), uint16_t{0});
  std::fill(scales.scales.begin(), scales.scales.end(), uint8_t{0});
}

}  // namespace

OperandBuffer::OperandBuffer(const sc_core::sc_module_name& name, OperandSide side, int lanes,
                             int depth)
    : ClockedUnit(name), side_(side), lanes_(lanes), depth_(depth) {}

void OperandBuffer::tick() {
  const bool codes_ready = codes->can_push();
  const bool scales_ready = scales->can_push();
  if (!steps->can_pop() || !codes_ready || !scales_ready) {
    return;
  }
  const StepTag& tag = steps->front();
  const int64_t first_row = (side_ == OperandSide::kA ? tag.tile_row : tag.tile_column) * lanes_;
  const int64_t blocks = depth_ / matrix_->format.block;
  const Window window{first_row, std::clamp<int64_t>(matrix_->rows - first_row, 0, lanes_),
                      tag.k_step * blocks, tag.active_blocks};
  CodeSlice& code_slice = codes->back();
  ScaleSlice& scale_slice = scales->back();
  code_slice.tag = tag;
  scale_slice.tag = tag;
  if (window.rows < lanes_ || window.blocks < blocks) {
    clear(code_slice, scale_slice);
  }
  if (window.rows > 0) {
    read_codes(window, code_slice);
    if (matrix_->format.scale == ScaleKind::kHif4) {
      read_hif4_scales(window, code_slice, scale_slice);
    } else {
      read_scales(window, scale_slice);
    }
  }
  codes->push();
  scales->push();
  steps->pop();
}

void OperandBuffer::read_codes(const Window& window, CodeSlice& slice) const {
  const int64_t block_bytes = matrix_->format.block / 2;
  const int64_t stride = matrix_->code_stride();
  const uint8_t* from = matrix_->row_codes(window.first_row) + window.first_block * block_bytes;
  uint8_t* to = slice.codes.data();
  for (int64_t lane = 0; lane < window.rows; ++lane) {
    std::copy_n(from + lane * stride, window.blocks * block_bytes, to + lane * depth_ / 2);
  }
}

void OperandBuffer::read_scales(const Window& window, ScaleSlice& slice) const {
  const int64_t blocks = depth_ / matrix_->format.block;
  const int64_t stride = matrix_->scale_stride();
  const uint8_t* from = matrix_->row_scales(window.first_row) + window.first_block;
  uint8_t* to = slice.scales.data();
  for (int64_t block = 0; block < window.blocks; ++block) {
    for (int64_t lane = 0; lane < window.rows; ++lane) {
      to[lane * blocks + block] = from[lane * stride + block];
    }
  }
}

void OperandBuffer::read_hif4_scales(const Window& window, CodeSlice& code_slice,
                                     ScaleSlice& scale_slice) const {
  const int64_t units = depth_ / matrix_->format.block;
  const int64_t stride = matrix_->scale_stride();
  const uint8_t* from = matrix_->row_scales(window.first_row) + window.first_block * kHif4ScaleWord;
  for (int64_t unit = 0; unit < window.blocks; ++unit) {
    for (int64_t lane = 0; lane < window.rows; ++lane) {
      const uint8_t* word = from + lane * stride + unit * kHif4ScaleWord;
      const auto index = static_cast<size_t>(lane * units + unit);
      scale_slice.scales[index] = word[0];
      code_slice.level2[index] = word[1];
      code_slice.level3[index] = static_cast<uint16_t>(word[2] | (word[3] << 8));
    }
  }
}

void OperandBuffer::reset() { steps->clear(); }

}  // namespace nibblecore::hw
