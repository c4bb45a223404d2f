// SPDX-License-Identifier: Apache-2.0
#include "hw/units/sequencer.hpp"

#include <algorithm>

#include "model/common/checked.hpp"

namespace nibblecore::hw {

Sequencer::Sequencer(const sc_core::sc_module_name& name, const CoreDescription& core)
    : ClockedUnit(name), core_(core) {}

void Sequencer::start(const GemmJob& job) {
  tile_rows_ = ceil_divide(job.m(), core_.rows);
  tile_columns_ = ceil_divide(job.n(), core_.columns);
  k_steps_ = ceil_divide(job.k(), core_.depth);
  blocks_a_step_ = core_.depth / job.format().block;
  blocks_ = job.a->blocks();
  next_ = StepTag{};
  mark_ends();
  active_ = true;
}

void Sequencer::tick() {
  if (!active_) {
    return;
  }
  // Both are asked every cycle: each channel decides once a cycle whether it takes an entry.
  const bool a_ready = a_steps->can_push();
  const bool b_ready = b_steps->can_push();
  if (!a_ready || !b_ready) {
    return;
  }
  a_steps->back() = next_;
  a_steps->push();
  b_steps->back() = next_;
  b_steps->push();
  advance();
}

void Sequencer::reset() { active_ = false; }

void Sequencer::advance() {
  if (next_.last_of_gemm) {
    active_ = false;
    return;
  }
  if (++next_.k_step == k_steps_) {
    next_.k_step = 0;
    if (++next_.tile_column == tile_columns_) {
      next_.tile_column = 0;
      ++next_.tile_row;
    }
  }
  mark_ends();
}

void Sequencer::mark_ends() {
  next_.first_of_tile = next_.k_step == 0;
  next_.last_of_tile = next_.k_step == k_steps_ - 1;
  next_.last_of_gemm = next_.last_of_tile && next_.tile_column == tile_columns_ - 1 &&
                       next_.tile_row == tile_rows_ - 1;
  next_.active_blocks = static_cast<int32_t>(
      std::min<int64_t>(blocks_a_step_, blocks_ - next_.k_step * blocks_a_step_));
}

void Sequencer::trace(sc_core::sc_trace_file* file) const {
  const std::string prefix = std::string(name()) + ".";
  sc_core::sc_trace(file, active_, prefix + "active");
  sc_core::sc_trace(file, next_.tile_row, prefix + "tile_row");
  sc_core::sc_trace(file, next_.tile_column, prefix + "tile_column");
  sc_core::sc_trace(file, next_.k_step, prefix + "k_step");
}

}  // namespace nibblecore::hw
