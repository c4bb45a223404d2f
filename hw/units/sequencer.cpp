// SPDX-License-Identifier: Apache-2.0
#include "hw/units/sequencer.hpp"

#include <string>

namespace nibblecore::hw {

Sequencer::Sequencer(const sc_core::sc_module_name& name, const Machine& machine,
                     const SequencerFlags& flags)
    : ClockedUnit(name), machine_(machine), flags_(flags) {}

void Sequencer::start(const GemmJob& job, TimelineSink* timeline) {
  program_ = job.program;
  cursor_.start(*program_);
  in_chunk_ = false;
  cycle_ = 0;
  not_before_ = 0;
  account_.clear();
  steps_ = {};
  timeline_ = timeline;
  span_cause_.reset();
}

void Sequencer::tick() {
  // Both are asked every cycle: each channel decides once a cycle whether it takes an entry.
  const bool a_ready = a_steps->can_push();
  const bool b_ready = b_steps->can_push();
  issued_ = false;
  if (program_ == nullptr || cursor_.done()) {
    note(std::nullopt);
    account_.idle();
  } else if (const std::optional<StallCause> cause = obstacle(a_ready && b_ready)) {
    note(cause);
    account_.stall(*cause);
  } else {
    note(std::nullopt);
    account_.busy();
    if (!in_chunk_) {
      begin_chunk();
    }
    issue();
  }
  ++cycle_;
}

std::optional<StallCause> Sequencer::obstacle(bool room) const {
  if (!in_chunk_) {
    if (const std::optional<StallCause> cause = chunk_obstacle()) {
      return cause;
    }
  }
  if (cycle_ < not_before_) {
    return StallCause::kAccumulate;
  }
  return room ? std::nullopt : std::optional(StallCause::kPipeline);
}

std::optional<StallCause> Sequencer::chunk_obstacle() const {
  const ChunkBody& body = cursor_.body();
  if (!flags_.a_filled.ready()) {
    return StallCause::kOperandA;
  }
  if (!flags_.b_filled.ready()) {
    return StallCause::kOperandB;
  }
  if (body.first_of_region && body.start_bytes == 0 && !flags_.region_free.ready()) {
    return StallCause::kFullBuffer;
  }
  if (body.start_bytes > 0 && !flags_.start_filled.ready()) {
    return StallCause::kStartValues;
  }
  return std::nullopt;
}

void Sequencer::begin_chunk() {
  const ChunkBody& body = cursor_.body();
  flags_.a_filled.take();
  flags_.b_filled.take();
  if (body.start_bytes > 0) {
    flags_.start_filled.take();
  } else if (body.first_of_region) {
    flags_.region_free.take();
  }
  passes_ = program_->passes(body);
  pass_ = 0;
  tile_ = 0;
  tile_row_ = tile_column_ = 0;
  pass_start_ = cycle_;
  in_chunk_ = true;
}

void Sequencer::issue() {
  fill(a_steps->back());
  a_steps->push();
  fill(b_steps->back());
  b_steps->push();
  issued_ = true;
  ++steps_.at(static_cast<size_t>(passes_[pass_].kind));
  if (timeline_ != nullptr) {
    const StepKind kind = passes_[pass_].kind;
    if (kind != StepKind::kSparseBeside && kind != StepKind::kResidual &&
        kind != StepKind::kSparse) {
      timeline_->span(Track::kDenseSteps, "step", cycle_, cycle_ + 1);
    }
    if (kind != StepKind::kDense) {
      timeline_->span(Track::kResidualSteps, "step", cycle_, cycle_ + 1);
    }
  }
  if (next_step()) {
    end_chunk();
  }
}

void Sequencer::fill(StepTag& tag) const {
  const ChunkBody& body = cursor_.body();
  const Pass& pass = passes_[pass_];
  const bool last_pass = pass_ + 1 == passes_.size();
  const bool last_step = last_pass && tile_ + 1 == body.tiles();
  tag.trip = cursor_.trip();
  tag.tile = static_cast<int32_t>(tile_);
  tag.tile_row = tile_row_;
  tag.tile_column = tile_column_;
  tag.kind = pass.kind;
  tag.first_block = pass.first_block;
  tag.dense_blocks = pass.dense_blocks;
  tag.residual_blocks = pass.residual_blocks;
  tag.closes_dense = pass.closes_dense;
  tag.closes_residual = pass.closes_residual;
  tag.epilogues = pass.epilogues;
  tag.first_of_tile = body.first_of_region && pass_ == 0;
  tag.last_of_tile = body.last_of_region && last_pass;
  tag.last_of_chunk = last_step;
  tag.last_of_region = body.last_of_region && last_step;
}

int64_t Sequencer::additions_time() const {
  return program_->additions(passes_[pass_]) * machine_.accumulate_latency;
}

bool Sequencer::next_step() {
  return program_->tiling().step_order == StepOrder::kTilesInner ? next_of_tiles_inner()
                                                                 : next_of_steps_inner();
}

bool Sequencer::next_of_tiles_inner() {
  if (tile_ == 0) {
    pass_start_ = cycle_;
  }
  if (++tile_column_ == cursor_.body().column_tiles) {
    tile_column_ = 0;
    ++tile_row_;
  }
  if (++tile_ < cursor_.body().tiles()) {
    return false;
  }
  not_before_ = pass_start_ + additions_time();
  tile_ = 0;
  tile_row_ = tile_column_ = 0;
  return ++pass_ == passes_.size();
}

bool Sequencer::next_of_steps_inner() {
  not_before_ = cycle_ + additions_time();
  if (++pass_ < passes_.size()) {
    return false;
  }
  if (++tile_ == cursor_.body().tiles()) {
    return true;
  }
  if (++tile_column_ == cursor_.body().column_tiles) {
    tile_column_ = 0;
    ++tile_row_;
  }
  not_before_ = 0;
  pass_ = 0;
  return false;
}

void Sequencer::end_chunk() {
  in_chunk_ = false;
  if (cursor_.body().last_of_region) {
    not_before_ = 0;
  }
  cursor_.advance();
}

void Sequencer::note(std::optional<StallCause> stall) {
  if (timeline_ == nullptr || stall == span_cause_) {
    return;
  }
  if (span_cause_) {
    timeline_->span(Track::kArrayStalls, name_of(*span_cause_), span_begin_, cycle_);
  }
  span_cause_ = stall;
  span_begin_ = cycle_;
}

void Sequencer::reset() {
  cursor_.stop();
  in_chunk_ = false;
}

void Sequencer::trace(sc_core::sc_trace_file* file) const {
  const std::string prefix = std::string(name()) + ".";
  sc_core::sc_trace(file, issued_, prefix + "issued");
  sc_core::sc_trace(file, tile_row_, prefix + "tile_row");
  sc_core::sc_trace(file, tile_column_, prefix + "tile_column");
}

}  // namespace nibblecore::hw
