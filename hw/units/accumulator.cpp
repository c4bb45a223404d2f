// SPDX-License-Identifier: Apache-2.0
#include "hw/units/accumulator.hpp"

#include <algorithm>

#include "hw/datapath/fp32_accumulate.hpp"
#include "model/common/error.hpp"

namespace nibblecore::hw {

Accumulator::Accumulator(const sc_core::sc_module_name& name, const CoreDescription& core,
                         SimdTarget target)
    : ClockedUnit(name),
      core_(core),
      target_(target),
      registers_(static_cast<size_t>(core.rows) * padded_lanes(core.columns)) {}

void Accumulator::tick() {
  const bool ready = tiles->can_push();
  if (!sums->can_pop() || !products->can_pop()) {
    return;
  }
  const StepTag& tag = sums->front().tag;
  if (!(tag == products->front().tag)) {
    throw InternalError(std::string(name()) + ": sums and scales of two different steps met");
  }
  if (tag.last_of_tile && !ready) {
    return;
  }
  if (tag.first_of_tile) {
    load_tile(tag);
  }
  for (int32_t block = 0; block < tag.active_blocks; ++block) {
    add_block(static_cast<size_t>(block));
  }
  if (tag.last_of_tile) {
    hand_on(tag);
  }
  sums->pop();
  products->pop();
}

void Accumulator::load_tile(const StepTag& tag) {
  std::fill(registers_.begin(), registers_.end(), 0U);
  if (job_.c == nullptr) {
    return;
  }
  const int64_t first_row = tag.tile_row * core_.rows;
  const int64_t first_column = tag.tile_column * core_.columns;
  const int64_t columns = std::min<int64_t>(core_.columns, job_.n() - first_column);
  const int64_t rows = std::min<int64_t>(core_.rows, job_.m() - first_row);
  for (int64_t i = 0; i < rows; ++i) {
    std::copy_n(job_.c + (first_row + i) * job_.n() + first_column, columns,
                registers_.begin() + i * padded_lanes(core_.columns));
  }
}

void Accumulator::add_block(size_t block) {
  const ScaleProducts& scales = products->front();
  const size_t first = block * registers_.size();
  fp32_accumulate_lanes(
      target_,
      {registers_.size(), sums->front().sums.data() + first, scales.significands.data() + first,
       scales.exponents.data() + first, scales.nan.data() + first},
      registers_.data());
}

void Accumulator::hand_on(const StepTag& tag) {
  ResultTile& tile = tiles->back();
  tile.tag = tag;
  for (ptrdiff_t i = 0; i < core_.rows; ++i) {
    std::copy_n(registers_.begin() + i * padded_lanes(core_.columns), core_.columns,
                tile.values.begin() + i * core_.columns);
  }
  tiles->push();
}

void Accumulator::reset() {
  sums->clear();
  products->clear();
}

void Accumulator::trace(sc_core::sc_trace_file* file) const {
  const std::string prefix = std::string(name()) + ".register";
  for (int lane = 0; lane < std::min(4, core_.columns); ++lane) {
    sc_core::sc_trace(file, registers_[static_cast<size_t>(lane)], prefix + std::to_string(lane));
  }
}

}  // namespace nibblecore::hw
