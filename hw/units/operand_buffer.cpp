// SPDX-License-Identifier: Apache-2.0
#include "hw/units/operand_buffer.hpp"

#include <algorithm>

namespace nibblecore::hw {
namespace {

constexpr int64_t kHif4ScaleWord = 4;  // E6M2, E1_8, E1_16 low, E1_16 high

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
  const int64_t tile = side_ == OperandSide::kA ? tag.tile_row : tag.tile_column;
  const int64_t first_block = tag.k_step * (depth_ / matrix_->format.block);
  CodeSlice& code_slice = codes->back();
  ScaleSlice& scale_slice = scales->back();
  code_slice.tag = tag;
  scale_slice.tag = tag;
  std::fill(code_slice.codes.begin(), code_slice.codes.end(), uint8_t{0});
  std::fill(code_slice.level2.begin(), code_slice.level2.end(), uint8_t{0});
  std::fill(code_slice.level3.begin(), code_slice.level3.end(), uint16_t{0});
  std::fill(scale_slice.scales.begin(), scale_slice.scales.end(), uint8_t{0});
  const auto present =
      static_cast<int>(std::clamp<int64_t>(matrix_->rows - tile * lanes_, 0, lanes_));
  for (int lane = 0; lane < present; ++lane) {
    read_lane(lane, tile * lanes_ + lane, first_block, tag.active_blocks);
  }
  codes->push();
  scales->push();
  steps->pop();
}

void OperandBuffer::read_lane(int lane, int64_t row, int64_t first_block, int32_t count) {
  CodeSlice& code_slice = codes->back();
  ScaleSlice& scale_slice = scales->back();
  const int64_t block_bytes = matrix_->format.block / 2;
  const int64_t first_scale = int64_t{lane} * (depth_ / matrix_->format.block);
  const uint8_t* lane_codes = matrix_->row_codes(row) + first_block * block_bytes;
  std::copy_n(lane_codes, count * block_bytes,
              code_slice.codes.begin() + int64_t{lane} * depth_ / 2);
  const uint8_t* lane_scales =
      matrix_->row_scales(row) + first_block * matrix_->format.scale_bytes();
  if (matrix_->format.scale != ScaleKind::kHif4) {
    std::copy_n(lane_scales, count, scale_slice.scales.begin() + first_scale);
    return;
  }
  for (int64_t unit = 0; unit < count; ++unit) {
    const uint8_t* word = lane_scales + unit * kHif4ScaleWord;
    const auto index = static_cast<size_t>(first_scale + unit);
    scale_slice.scales[index] = word[0];
    code_slice.level2[index] = word[1];
    code_slice.level3[index] = static_cast<uint16_t>(word[2] | (word[3] << 8));
  }
}

void OperandBuffer::reset() { steps->clear(); }

}  // namespace nibblecore::hw
