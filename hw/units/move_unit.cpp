// SPDX-License-Identifier: Apache-2.0
#include "hw/units/move_unit.hpp"

#include <algorithm>

#include "hw/units/piece_reader.hpp"
#include "model/common/checked.hpp"

namespace nibblecore::hw {
namespace {

/// The pattern where its mask lies in memory, else kNone.
ResidualPattern mask_of(ResidualPattern pattern) {
  const bool masked =
      pattern == ResidualPattern::kChannel50 || pattern == ResidualPattern::kBlock32x64At50;
  return masked ? pattern : ResidualPattern::kNone;
}

}  // namespace

MoveUnit::MoveUnit(const sc_core::sc_module_name& name, OperandSide side, const Machine& machine,
                   const MovePath& path)
    : ClockedUnit(name), side_(side), machine_(machine), path_(path) {}

void MoveUnit::start(const GemmJob& job, TimelineSink* timeline) {
  program_ = job.program;
  const GemmSpec& spec = program_->spec();
  online_ = (side_ == OperandSide::kA ? spec.a : spec.b) != OperandPath::kPacked;
  residual_ = side_ == OperandSide::kA ? spec.residual : ResidualPattern::kNone;
  cursor_.start(*program_);
  l1_half_ = 0;
  move_.reset();
  receiving_.clear();
  filled_.clear();
  cycle_ = 0;
  account_.clear();
  quantized_blocks_ = 0;
  timeline_ = timeline;
}

MoveUnit::Move MoveUnit::current() const {
  const ChunkBody& body = cursor_.body();
  const bool a = side_ == OperandSide::kA;
  Move move{};
  move.body = body;
  const int64_t offset =
      a ? program_->a_l1_offset(cursor_.index()) : program_->b_l1_offset(cursor_.index());
  move.piece = path_.l1.piece(l1_half_, offset);
  move.panel = cursor_.half();
  move.bytes = a ? body.move_a_bytes : body.move_b_bytes;
  move.mask_bytes = a ? body.mask_bytes : 0;
  move.blocks = a ? body.quantize_a_blocks : body.quantize_b_blocks;
  move.beats = a ? body.quantize_a_beats : body.quantize_b_beats;
  move.waits_for_load = (a ? body.load_a_bytes : body.load_b_bytes) > 0;
  move.frees = a ? body.move_a_frees : body.move_b_frees;
  move.rows = a ? body.rows : body.columns;
  return move;
}

void MoveUnit::tick() {
  // Asked every cycle: the channel decides once a cycle whether it takes an entry.
  const bool room = unquantized->can_push();
  receive();
  work(room);
  post_due();
  ++cycle_;
}

void MoveUnit::receive() {
  if (!quantized->can_pop()) {
    return;
  }
  const QuantizedBeat& beat = quantized->front();
  Receiving& receiving = receiving_.front();
  OperandPanel& panel = path_.panels.at(receiving.panel);
  for (size_t i = 0; i < beat.count; ++i, ++receiving.next_block) {
    panel.fill_block(receiving.next_block / panel.blocks, receiving.next_block % panel.blocks,
                     beat.blocks[i]);
  }
  if (receiving.next_block == receiving.blocks) {
    filled_.push_back(cycle_ + machine_.l1_latency);
    receiving_.pop_front();
  }
  quantized->pop();
}

void MoveUnit::work(bool room) {
  if (!move_) {
    if (program_ == nullptr || cursor_.done()) {
      account_.idle();
      return;
    }
    if (const std::optional<StallCause> cause = obstacle()) {
      account_.stall(*cause);
      return;
    }
    begin();
  }
  account_.busy();
  proceed(room);
}

std::optional<StallCause> MoveUnit::obstacle() const {
  const bool a = side_ == OperandSide::kA;
  const ChunkBody& body = cursor_.body();
  const bool loads = (a ? body.load_a_bytes : body.load_b_bytes) > 0;
  if (loads && !path_.l1_flags.filled.ready()) {
    return a ? StallCause::kOperandA : StallCause::kOperandB;
  }
  if (!path_.l0_flags.free.ready()) {
    return StallCause::kFullBuffer;
  }
  return std::nullopt;
}

void MoveUnit::begin() {
  move_ = current();
  if (move_->waits_for_load) {
    path_.l1_flags.filled.take();
  }
  path_.l0_flags.free.take();
  begin_ = cycle_;
  pushed_beats_ = 0;
  OperandPanel& panel = path_.panels.at(move_->panel);
  panel.shape(program_->spec().format, residual_, move_->rows, move_->body.blocks, factors_a_row());
  if (online_) {
    receiving_.push_back({move_->panel, 0, move_->blocks});
  }
}

int64_t MoveUnit::factors_a_row() const {
  const GemmSpec& spec = program_->spec();
  const bool has_factors = side_ == OperandSide::kA ? spec.a_has_factors : spec.b_has_factors;
  return has_factors ? ceil_divide(move_->body.k, spec.macro_length) : 0;
}

/// Cycles from the move's begin after which a beat may enter the quantizer: the mask and all blocks
/// up to its last have come from L1, and the beats before it are out of its way.
int64_t MoveUnit::due(int64_t beat) const {
  const Rate& rate = side_ == OperandSide::kA ? machine_.l1_to_l0a : machine_.l1_to_l0b;
  if (!online_) {
    return rate.duration(move_->bytes);
  }
  const int64_t block_bytes = move_->bytes / move_->blocks;
  return rate.duration(move_->mask_bytes) +
         std::max(rate.duration(blocks_through(beat) * block_bytes),
                  beat * program_->cycles_a_beat());
}

/// Blocks of the first `beat` beats; the first beat takes what makes no whole one.
int64_t MoveUnit::blocks_through(int64_t beat) const {
  return beat == 0 ? 0 : move_->blocks - (move_->beats - beat) * program_->blocks_a_beat();
}

void MoveUnit::proceed(bool room) {
  const int64_t elapsed = cycle_ - begin_ + 1;
  if (!online_) {
    if (elapsed >= due(0)) {
      path_.panels.at(move_->panel).fill_packed(move_->piece);
      filled_.push_back(cycle_ + machine_.l1_latency);
      finish();
    }
    return;
  }
  if (elapsed >= due(pushed_beats_ + 1) && room) {
    push_beat();
    if (pushed_beats_ == move_->beats) {
      finish();
    }
  }
}

void MoveUnit::push_beat() {
  const GemmSpec& spec = program_->spec();
  const OnlinePiece piece{move_->piece,      side_ == OperandSide::kA ? spec.a : spec.b,
                          move_->rows,       move_->body.k,
                          spec.format.block, mask_of(residual_)};
  UnquantizedBeat& beat = unquantized->back();
  const int64_t first = blocks_through(pushed_beats_);
  const int64_t count = blocks_through(pushed_beats_ + 1) - first;
  beat.count = static_cast<size_t>(count);
  for (int64_t i = 0; i < count; ++i) {
    const int64_t block = first + i;
    read_block(piece, block / move_->body.blocks, block % move_->body.blocks,
               beat.blocks[static_cast<size_t>(i)]);
  }
  unquantized->push();
  quantized_blocks_ += count;
  ++pushed_beats_;
}

void MoveUnit::finish() {
  if (timeline_ != nullptr) {
    const bool a = side_ == OperandSide::kA;
    timeline_->span(a ? Track::kMoveA : Track::kMoveB, online_ ? "move, quantize" : "move", begin_,
                    cycle_ + 1);
    if (online_) {
      timeline_->span(a ? Track::kQuantizerA : Track::kQuantizerB,
                      residual_ == ResidualPattern::kNone ? "quantize" : "quantize, residual",
                      begin_, cycle_ + 1);
    }
  }
  if (move_->frees) {
    path_.l1_flags.free.post();
    l1_half_ ^= 1;
  }
  move_.reset();
  cursor_.advance();
}

void MoveUnit::post_due() {
  while (!filled_.empty() && filled_.front() == cycle_) {
    path_.l0_flags.filled.post();
    filled_.pop_front();
  }
}

void MoveUnit::reset() {
  cursor_.stop();
  move_.reset();
  receiving_.clear();
  filled_.clear();
  quantized->clear();
}

}  // namespace nibblecore::hw
