// SPDX-License-Identifier: Apache-2.0
#include "hw/units/accumulator.hpp"

#include <algorithm>

#include "hw/datapath/fp32_accumulate.hpp"
#include "hw/datapath/fp32_pack.hpp"
#include "hw/datapath/width.hpp"
#include "model/common/error.hpp"

namespace nibblecore::hw {

Accumulator::Accumulator(const sc_core::sc_module_name& name, const CoreDescription& core)
    : ClockedUnit(name), core_(core), registers_(ResultTile(core).values.size()) {}

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
    ResultTile& tile = tiles->back();
    tile.tag = tag;
    tile.values = registers_;
    tiles->push();
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
                registers_.begin() + i * core_.columns);
  }
}

void Accumulator::add_block(size_t block) {
  const BlockSums& step = sums->front();
  const ScaleProducts& scales = products->front();
  const size_t outputs = registers_.size();
  const size_t first = block * outputs;
  WidthMonitor width(kTerm);
  for (size_t i = 0; i < outputs; ++i) {
    const int32_t term = step.sums[first + i] * scales.significands[first + i];
    width.observe(term);
    registers_[i] = scales.nan[first + i] != 0
                        ? kQuietNan
                        : fp32_accumulate(registers_[i], term, scales.exponents[first + i]);
  }
  width.require();
}

void Accumulator::reset() {
  sums->clear();
  products->clear();
}

void Accumulator::trace(sc_core::sc_trace_file* file) const {
  const std::string prefix = std::string(name()) + ".register";
  for (size_t lane = 0; lane < std::min<size_t>(4, registers_.size()); ++lane) {
    sc_core::sc_trace(file, registers_[lane], prefix + std::to_string(lane));
  }
}

}  // namespace nibblecore::hw
