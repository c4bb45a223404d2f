// SPDX-License-Identifier: Apache-2.0
#include "hw/units/operand_buffer.hpp"

#include <algorithm>
#include <type_traits>

#include "hw/units/lane_reader.hpp"

namespace nibblecore::hw {
namespace {

/// Where one step finds its operand.
struct Reading {
  const BlockFormat& format;
  const OperandPanel& panel;
  int depth;
  LaneWindow dense;
  LaneWindow residual;

  bool is_hif4() const { return format.scale == ScaleKind::kHif4; }
};

void read_dense(const Reading& reading, const LaneWindow& window, int64_t k,
                const std::vector<uint8_t>& codes, const std::vector<uint8_t>& scales,
                CodeLanes& lanes) {
  read_lanes(reading.panel, codes, reading.panel.code_bytes, window, k / 2, lanes.codes);
  if (reading.is_hif4()) {
    read_micro_exponents(reading.panel, scales, window, k / 64, lanes.level2, lanes.level3);
  }
}

void read_sparse(const Reading& reading, SparseLanes& lanes) {
  const OperandPanel& panel = reading.panel;
  const int64_t k = 2 * int64_t{reading.depth};
  read_lanes(panel, panel.residual_codes, panel.residual_code_bytes, reading.residual, k / 4,
             lanes.codes);
  read_lanes(panel, panel.indices, panel.index_bytes, reading.residual, k / 8, lanes.indices);
  if (reading.is_hif4()) {
    read_micro_exponents(panel, panel.residual_scales, reading.residual, k / 64, lanes.level2,
                         lanes.level3);
  }
}

void read_slice(const Reading& reading, const StepTag& tag, ASlice& slice, ScaleSlice& scales) {
  const OperandPanel& panel = reading.panel;
  const int64_t lane_scales = most_blocks(reading.depth);
  if (tag.dense_blocks > 0) {
    read_dense(reading, reading.dense, reading.depth, panel.codes, panel.scales, slice.dense);
    read_scales(panel, panel.scales, reading.dense, lane_scales, 0, scales.scales);
  }
  if (tag.residual_blocks == 0) {
    return;
  }
  if (tag.kind == StepKind::kResidual) {
    read_dense(reading, reading.residual, reading.depth, panel.residual_codes,
               panel.residual_scales, slice.dense);
  } else {
    read_sparse(reading, slice.sparse);
  }
  read_scales(panel, panel.residual_scales, reading.residual, lane_scales, tag.dense_blocks,
              scales.scales);
}

void read_slice(const Reading& reading, const StepTag& tag, BSlice& slice, ScaleSlice& scales) {
  const OperandPanel& panel = reading.panel;
  const LaneWindow& window = tag.dense_blocks > 0 ? reading.dense : reading.residual;
  read_dense(reading, window, 2 * int64_t{reading.depth}, panel.codes, panel.scales, slice.dense);
  read_scales(panel, panel.scales, window, most_blocks(reading.depth), 0, scales.scales);
}

}  // namespace

template <class Slice>
void OperandBuffer<Slice>::tick() {
  const bool codes_ready = codes->can_push();
  const bool scales_ready = scales->can_push();
  if (!steps->can_pop() || !codes_ready || !scales_ready) {
    return;
  }
  const StepTag& tag = steps->front();
  codes->back().tag = tag;
  scales->back().tag = tag;
  read(tag, codes->back(), scales->back());
  codes->push();
  scales->push();
  if (tag.last_of_chunk) {
    free_.post();
    half_ ^= 1;
  }
  steps->pop();
}

template <class Slice>
void OperandBuffer<Slice>::read(const StepTag& tag, Slice& slice, ScaleSlice& scale_slice) const {
  const OperandPanel& panel = panels_.at(half_);
  const int64_t tile = side_ == OperandSide::kA ? tag.tile_row : tag.tile_column;
  const int64_t first_row = tile * lanes_;
  const int64_t rows = std::clamp<int64_t>(panel.rows - first_row, 0, lanes_);
  const Reading reading{format_,
                        panel,
                        depth_,
                        {first_row, rows, tag.first_block, tag.dense_blocks},
                        {first_row, rows, tag.first_block, tag.residual_blocks}};
  if (rows < lanes_) {
    std::fill(scale_slice.scales.begin(), scale_slice.scales.end(), uint8_t{0});
  }
  read_slice(reading, tag, slice, scale_slice);
  if (macro_blocks_ > 0) {
    read_factors(panel, first_row, rows, tag.first_block / macro_blocks_, scale_slice.factors);
  }
}

template class OperandBuffer<ASlice>;
template class OperandBuffer<BSlice>;

}  // namespace nibblecore::hw
