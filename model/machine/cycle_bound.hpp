// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "model/machine/chunk_times.hpp"
#include "model/machine/program.hpp"

namespace nibblecore {

/// Cycles that programs take at least: each unit's work without a wait, behind what must come
/// before its first operation and in front of what must come after its last. Cheap, so that a
/// search can ask for many.
class CycleBound {
 public:
  /// For GEMMs of this machine and `spec`, whatever their M and N. Both outlive the bound.
  CycleBound(const Machine& machine, const GemmSpec& spec);

  /// What the bounds of tilings share that differ in loop order and residency alone.
  struct Regions {
    int64_t rows;  ///< regions of rows, of columns
    int64_t columns;
    bool passes_twice;
    int64_t a_image;  ///< bytes: each loaded once
    int64_t b_image;
    int64_t a_moved;  ///< each loaded whenever it is moved
    int64_t b_moved;
    int64_t result_bytes;   ///< start values and results
    int64_t least;          ///< cycles, whatever passes the memory port
    int64_t late_bytes;     ///< behind the last load
    int64_t behind_last_a;  ///< cycles behind the last load, where A's is the last
    int64_t behind_last_b;
  };

  /// Of the programs of m x n outputs whose sizes are this tiling's, and whose cut of K has these
  /// times. InputError where a figure leaves 64 bits.
  Regions regions(int64_t m, int64_t n, const Tiling& tiling, const ChunkTimes& chunks) const;

  /// Never more than program_cycles(program).total.
  int64_t least_cycles(const Regions& regions, LoopOrder loop_order, Residency residency) const;

 private:
  /// A move from L1 to L0, without and with the latency behind it.
  struct Move {
    int64_t occupied;
    int64_t end;
  };
  Move move_a(int64_t rows, int64_t k) const;
  Move move_b(int64_t columns, int64_t k) const;
  int64_t quantizer_cycles(OperandPath path, int64_t blocks) const;

  const Machine& machine_;
  const GemmSpec& spec_;
  int64_t beat_blocks_;
  int64_t beat_cycles_;
  int64_t move_a_latency_;
  int64_t move_b_latency_;
};

/// Cycles that the program takes at least: never more than program_cycles(program).total.
int64_t least_cycles(const Program& program);

}  // namespace nibblecore
