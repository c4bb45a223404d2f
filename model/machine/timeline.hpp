// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

#include "model/machine/cycle_report.hpp"
#include "model/machine/double_buffer.hpp"
#include "model/machine/program.hpp"
#include "model/machine/trip_cost.hpp"

namespace nibblecore {

/// Times of a core's units while the trips of a program pass, one trip after the other: the
/// recurrence of docs/cycles.md, start = max(unit free, inputs there, half free).
class Timeline {
 public:
  explicit Timeline(const Program& program);

  /// One trip, of body and cost. InputError where its cycles leave 64 bits.
  void run(const ChunkBody& body, const TripCost& cost);
  /// The stores that are left behind the last trip.
  void finish();

  /// Whether everything that follows is as it was behind `earlier`, later by the same cycles.
  bool continues_like(const Timeline& earlier) const;
  /// Passes `periods` times what passed since `earlier`. InputError where that leaves 64 bits.
  void add_periods(const Timeline& earlier, int64_t periods);

  /// The time of the memory's answer to the last store; after finish().
  int64_t total() const { return port_free_ + memory_latency_; }
  int64_t stall(Unit unit, StallCause cause) const {
    return stalls_[static_cast<size_t>(unit)][static_cast<size_t>(cause)];
  }
  /// The end of the unit's last occupancy.
  int64_t end(Unit unit) const;

 private:
  /// A region that waits for its turn on the memory port; duration 0: none.
  struct PendingStore {
    int64_t ready = 0;
    int64_t duration = 0;
  };
  /// When what a trip works on is there.
  struct Inputs {
    int64_t a = 0;
    int64_t b = 0;
    int64_t start = 0;
  };
  // The four units' times relative to the array's, accumulators, two stores, five buffers.
  static constexpr int kCourseSize = 3 + 1 + 2 * 2 + 5 * 3;
  using Course = std::array<int64_t, kCourseSize>;

  void wait(int64_t& free, Unit unit, StallCause cause, int64_t until);
  void store(const PendingStore& pending);
  Inputs load(const ChunkBody& body, const TripCost& cost);
  Inputs move(const ChunkBody& body, const TripCost& cost, const Inputs& loaded);
  void multiply(const ChunkBody& body, const StepTimes& steps, const Inputs& moved);
  void require_room(int64_t cycles) const;
  Course course() const;

  int64_t memory_latency_;
  int64_t move_a_latency_;
  int64_t move_b_latency_;
  bool starts_from_memory_;

  int64_t port_free_ = 0;
  int64_t move_a_free_ = 0;
  int64_t move_b_free_ = 0;
  int64_t array_free_ = 0;
  int64_t accumulators_free_ = 0;
  PendingStore ended_last_;    // with the last trip
  PendingStore ended_before_;  // with the trip before
  DoubleBuffer l1_a_;
  DoubleBuffer l1_b_;
  DoubleBuffer l0_a_;
  DoubleBuffer l0_b_;
  DoubleBuffer l0_c_;
  std::array<std::array<int64_t, kStallCauses>, kUnits> stalls_{};
};

}  // namespace nibblecore
