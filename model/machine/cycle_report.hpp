// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace nibblecore {

/// Units of a core whose every cycle is accounted for.
enum class Unit { kMemoryPort, kMoveA, kMoveB, kArray };
inline constexpr int kUnits = 4;

/// Why a unit that has work left does none in a cycle. Where several causes hold at once, the first
/// in this order is the one that counts.
enum class StallCause {
  kOperandA,     ///< move A, array: the data is not there yet
  kOperandB,     ///< move B, array
  kResult,       ///< memory port: the region to store is not finished
  kFullBuffer,   ///< both halves of the buffer to fill are in use
  kStartValues,  ///< array: the accumulators' start values are not there yet
  kAccumulate,   ///< array: the addition before this one on the same accumulator
  kPipeline,     ///< array: the next stage takes nothing (never without injected back-pressure)
};
inline constexpr int kStallCauses = 7;

/// Cycles of one unit during one GEMM; every cycle has one cause.
struct UnitCycles {
  int64_t busy = 0;
  std::array<int64_t, kStallCauses> stalls{};
  int64_t idle = 0;  ///< after its last work

  int64_t stalled() const;
  int64_t total() const { return busy + stalled() + idle; }

  friend bool operator==(const UnitCycles& a, const UnitCycles& b) {
    return a.busy == b.busy && a.stalls == b.stalls && a.idle == b.idle;
  }
};

/// What one GEMM took on one core; the same from the cycle model and from the SystemC core.
struct CycleReport {
  int64_t total = 0;  ///< from the first cycle to the memory's answer to the last store
  std::array<UnitCycles, kUnits> units{};
  /// Steps by kind, in the order of StepKind.
  std::array<int64_t, 5> steps{};
  int64_t quantized_blocks = 0;
  int64_t loaded_bytes = 0;
  int64_t stored_bytes = 0;

  UnitCycles& operator[](Unit unit) { return units[static_cast<size_t>(unit)]; }
  const UnitCycles& operator[](Unit unit) const { return units[static_cast<size_t>(unit)]; }
  int64_t all_steps() const;

  /// Adds `times` GEMMs of the same report, one after the other.
  void add(const CycleReport& other, int64_t times);

  friend bool operator==(const CycleReport& a, const CycleReport& b) {
    return a.total == b.total && a.units == b.units && a.steps == b.steps &&
           a.quantized_blocks == b.quantized_blocks && a.loaded_bytes == b.loaded_bytes &&
           a.stored_bytes == b.stored_bytes;
  }
};

/// InternalError unless busy, stalls and idle of every unit sum to the total.
void require_balanced(const CycleReport& report);

std::string_view name_of(Unit unit);
std::string_view name_of(StallCause cause);

}  // namespace nibblecore
