// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <vector>

#include "hw/channel/flag.hpp"
#include "hw/channel/payload.hpp"
#include "hw/channel/ready_valid.hpp"
#include "hw/units/clocked_unit.hpp"
#include "hw/units/cycle_account.hpp"
#include "hw/units/gemm_job.hpp"
#include "hw/units/timeline_sink.hpp"
#include "hw/units/trip_cursor.hpp"

namespace nibblecore::hw {

/// What the sequencer waits for before a chunk's first step.
struct SequencerFlags {
  Flag& a_filled;      ///< L0A
  Flag& b_filled;      ///< L0B
  Flag& region_free;   ///< a half of L0C
  Flag& start_filled;  ///< start values in L0C
};

/// Issues the steps of a program, at most one a cycle, to both operand buffers, never so early that
/// an accumulator's last addition is not finished. It keeps the array's account of cycles.
class Sequencer final : public ClockedUnit {
 public:
  sc_core::sc_port<ReadyValidOut<StepTag>> a_steps{"a_steps"};
  sc_core::sc_port<ReadyValidOut<StepTag>> b_steps{"b_steps"};

  Sequencer(const sc_core::sc_module_name& name, const Machine& machine,
            const SequencerFlags& flags);

  /// Takes the first step at the next clock edge at the earliest.
  void start(const GemmJob& job, TimelineSink* timeline);

  const UnitCycles& cycles() const { return account_.cycles(); }
  /// Steps issued, by StepKind.
  const std::array<int64_t, kStepKinds>& steps() const { return steps_; }

  void trace(sc_core::sc_trace_file* file) const override;

 private:
  void tick() override;
  void reset() override;
  /// Why no step can be issued in this cycle, if so.
  std::optional<StallCause> obstacle(bool room) const;
  std::optional<StallCause> chunk_obstacle() const;
  void begin_chunk();
  void issue();
  void fill(StepTag& tag) const;
  /// Moves on to the next step; true at the end of the chunk.
  bool next_step();
  bool next_of_tiles_inner();
  bool next_of_steps_inner();
  void end_chunk();
  int64_t additions_time() const;
  void note(std::optional<StallCause> stall);

  Machine machine_;
  SequencerFlags flags_;
  const Program* program_ = nullptr;
  TripCursor cursor_;
  std::vector<Pass> passes_;
  bool in_chunk_ = false;
  size_t pass_ = 0;
  int64_t tile_ = 0;
  int32_t tile_row_ = 0;
  int32_t tile_column_ = 0;
  int64_t cycle_ = 0;
  int64_t not_before_ = 0;  ///< cycle from which the accumulators take the next step
  int64_t pass_start_ = 0;
  CycleAccount account_;
  std::array<int64_t, kStepKinds> steps_{};
  TimelineSink* timeline_ = nullptr;
  std::optional<StallCause> span_cause_;  ///< of the timeline's span under way
  int64_t span_begin_ = 0;
  bool issued_ = false;  ///< in the latest cycle: for traces
};

}  // namespace nibblecore::hw
