// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <deque>
#include <optional>

#include "hw/channel/flag.hpp"
#include "hw/channel/quantizer_beat.hpp"
#include "hw/channel/ready_valid.hpp"
#include "hw/units/clocked_unit.hpp"
#include "hw/units/cycle_account.hpp"
#include "hw/units/gemm_job.hpp"
#include "hw/units/l1_region.hpp"
#include "hw/units/operand_panel.hpp"
#include "hw/units/operand_side.hpp"
#include "hw/units/timeline_sink.hpp"
#include "hw/units/trip_cursor.hpp"

namespace nibblecore::hw {

/// The two buffers that a move joins.
struct MovePath {
  L1Region& l1;
  BufferFlags& l1_flags;
  std::array<OperandPanel, 2>& panels;
  BufferFlags& l0_flags;
};

/// Moves one operand's pieces from L1 to L0: packed ones as they are, online ones through the
/// quantizer, a beat of blocks at a time.
class MoveUnit final : public ClockedUnit {
 public:
  sc_core::sc_port<ReadyValidOut<UnquantizedBeat>> unquantized{"unquantized"};
  sc_core::sc_port<ReadyValidIn<QuantizedBeat>> quantized{"quantized"};

  MoveUnit(const sc_core::sc_module_name& name, OperandSide side, const Machine& machine,
           const MovePath& path);

  void start(const GemmJob& job, TimelineSink* timeline);

  const UnitCycles& cycles() const { return account_.cycles(); }
  int64_t quantized_blocks() const { return quantized_blocks_; }

 private:
  /// One trip's move, from this operand's side.
  struct Move {
    ChunkBody body;
    const uint8_t* piece;
    size_t panel;
    int64_t bytes;
    int64_t mask_bytes;
    int64_t blocks;  ///< to quantize
    int64_t beats;
    bool waits_for_load;
    bool frees;
    int64_t rows;
  };

  /// Blocks of a move that the quantizer still holds.
  struct Receiving {
    size_t panel;
    int64_t next_block;
    int64_t blocks;
  };

  void tick() override;
  void reset() override;
  void receive();
  void work(bool room);
  std::optional<StallCause> obstacle() const;
  void begin();
  void proceed(bool room);
  int64_t factors_a_row() const;
  int64_t due(int64_t beat) const;
  int64_t blocks_through(int64_t beat) const;
  void push_beat();
  void finish();
  void post_due();
  Move current() const;

  OperandSide side_;
  Machine machine_;
  MovePath path_;
  const Program* program_ = nullptr;
  bool online_ = false;
  ResidualPattern residual_ = ResidualPattern::kNone;
  TripCursor cursor_;
  size_t l1_half_ = 0;
  std::optional<Move> move_;  ///< under way
  int64_t begin_ = 0;
  int64_t pushed_beats_ = 0;
  std::deque<Receiving> receiving_;
  std::deque<int64_t> filled_;  ///< cycles in which a half of L0 is filled
  int64_t cycle_ = 0;
  CycleAccount account_;
  int64_t quantized_blocks_ = 0;
  TimelineSink* timeline_ = nullptr;
};

}  // namespace nibblecore::hw
