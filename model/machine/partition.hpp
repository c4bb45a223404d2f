// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "model/machine/cycle_report.hpp"
#include "model/machine/program.hpp"
#include "model/machine/tiler.hpp"

namespace nibblecore {

/// A program with its cycles, and how many cores run one like it.
struct TimedProgram {
  Program program;
  CycleReport report;
  int64_t count;
};

/// The part of the output that one core computes, over the whole of K.
struct CoreShare {
  int64_t first_row;
  int64_t rows;
  int64_t first_column;
  int64_t columns;
  size_t program;  ///< index into Partition::programs
};

/// One GEMM on the cores of a machine: a grid of cores_m x cores_n shares of whole output tiles,
/// whose heights and widths differ by a tile at most (and at the edge).
struct Partition {
  int64_t cores_m;
  int64_t cores_n;
  std::vector<TimedProgram> programs;  ///< one for each size of share, largest first
  std::vector<CoreShare> shares;       ///< row by row of the grid
  int64_t makespan;                    ///< cycles of the slowest core
};

/// The grid whose slowest core is fastest, each share with the program that choose_program gives
/// it. Looked at: for every number of rows of cores as many columns as the machine has cores for.
/// Of equally fast grids the one of fewest rows. InputError as choose_program.
Partition choose_partition(const Machine& machine, const GemmSpec& spec,
                           const TilingChoice& choice = {});

}  // namespace nibblecore
