// SPDX-License-Identifier: Apache-2.0
#include "model/machine/partition.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <map>
#include <optional>
#include <utility>

#include "model/common/checked.hpp"
#include "model/common/error.hpp"
#include "model/machine/program_search.hpp"
#include "model/machine/program_sizes.hpp"
#include "model/machine/step_times.hpp"

namespace nibblecore {
namespace {

/// Part of an extent.
struct Piece {
  int64_t first;
  int64_t size;
};

/// An extent in `count` pieces of whole units, the larger ones first; the last one may end within
/// its last unit.
class Split {
 public:
  Split(int64_t extent, int64_t unit, int64_t count)
      : extent_(extent), unit_(unit), count_(count), units_(ceil_divide(extent, unit)) {}

  int64_t count() const { return count_; }
  Piece piece(int64_t index) const {
    const int64_t large = units_ % count_;
    const int64_t first = (index * (units_ / count_) + std::min(index, large)) * unit_;
    const int64_t size = (units_ / count_ + (index < large ? 1 : 0)) * unit_;
    return {first, std::min(size, extent_ - first)};
  }
  /// A piece of each size: of the larger ones, of the others, the last one.
  std::array<int64_t, 3> sizes() const {
    const int64_t smaller = std::min(units_ % count_, count_ - 1);
    return {piece(0).size, piece(smaller).size, piece(count_ - 1).size};
  }

 private:
  int64_t extent_;
  int64_t unit_;
  int64_t count_;
  int64_t units_;
};

struct Grid {
  Split rows;
  Split columns;
  int64_t bound;  ///< cycles of the slowest core at least
};

/// Cycles of any program of m x n outputs at least. Everything passes the memory port; and the
/// first operands come behind a latency of the memory, the array's steps and the last loads are
/// behind them, and a result's way to L0C and another latency behind those.
int64_t least_cycles_of_any(const Machine& machine, const GemmSpec& spec, int64_t m, int64_t n) {
  const char* place = "cycles of a GEMM";
  const int64_t tiles = checked_multiply(ceil_divide(m, machine.core.rows),
                                         ceil_divide(n, machine.core.columns), place);
  const int64_t steps = checked_multiply(tiles, ceil_divide(spec.k, machine.core.depth), place);
  const int64_t loads =
      checked_add(a_piece_bytes(spec, m, spec.k), b_piece_bytes(spec, n, spec.k), place);
  const int64_t stores =
      checked_multiply(checked_multiply(m, n, place), output_bytes(spec.output), place);
  const int64_t by_port = checked_add(machine.memory.duration(checked_add(loads, stores, place)),
                                      machine.memory_latency, place);
  const int64_t around = 2 * machine.memory_latency + kStagesToResult;
  const int64_t by_work =
      checked_add(std::max(steps, machine.memory.duration(loads)), around, place);
  return std::max(by_port, by_work);
}

std::vector<Grid> candidate_grids(const Machine& machine, const GemmSpec& spec) {
  const int64_t row_unit = uncut_row_tiles(machine, spec) * machine.core.rows;
  const int64_t column_unit = machine.core.columns;
  const int64_t row_units = ceil_divide(spec.m, row_unit);
  const int64_t column_units = ceil_divide(spec.n, column_unit);
  std::vector<Grid> grids;
  for (int64_t cores_m = 1; cores_m <= std::min<int64_t>(machine.cores, row_units); ++cores_m) {
    const int64_t cores_n = std::min(machine.cores / cores_m, column_units);
    const Split rows(spec.m, row_unit, cores_m);
    const Split columns(spec.n, column_unit, cores_n);
    // A first piece is a largest one, so its bound holds for the grid.
    grids.push_back(
        {rows, columns,
         least_cycles_of_any(machine, spec, rows.piece(0).size, columns.piece(0).size)});
  }
  std::stable_sort(grids.begin(), grids.end(),
                   [](const Grid& a, const Grid& b) { return a.bound < b.bound; });
  return grids;
}

/// Programs of all sizes of share that were asked for.
class Programs {
 public:
  Programs(const Machine& machine, const GemmSpec& spec, const TilingChoice& choice)
      : search_(machine, spec, choice) {}

  /// The fastest program of a share; null where all take more than `limit`.
  const FoundProgram* within(int64_t rows, int64_t columns, int64_t limit) {
    Share& share = known_[{rows, columns}];
    if (!share.fastest && limit > share.refuted) {
      share.fastest = search_.fastest(rows, columns, limit);
      if (!share.fastest) {
        share.refuted = limit;
      }
    }
    return share.fastest && share.fastest->report.total <= limit ? &*share.fastest : nullptr;
  }

  /// Whether the fastest program of a share takes at most `limit`, or is not known to and so has to
  /// be found.
  bool surely_within(int64_t rows, int64_t columns, int64_t limit) const {
    const auto share = known_.find({rows, columns});
    return share != known_.end() && share->second.fastest
               ? share->second.fastest->report.total <= limit
               : search_.surely_within(rows, columns, limit);
  }

 private:
  struct Share {
    std::optional<FoundProgram> fastest;
    int64_t refuted = -1;  ///< all programs take more than this
  };

  ProgramSearch search_;
  std::map<std::pair<int64_t, int64_t>, Share> known_;
};

/// The grid's slowest core, or nothing where that takes more than `limit`.
std::optional<int64_t> makespan_within(const Grid& grid, int64_t limit, Programs& programs) {
  int64_t makespan = 0;
  for (const int64_t rows : grid.rows.sizes()) {
    for (const int64_t columns : grid.columns.sizes()) {
      // The largest share comes first; the others, which are rarely slower, need no search then.
      if (makespan > 0 && programs.surely_within(rows, columns, makespan)) {
        continue;
      }
      const FoundProgram* found = programs.within(rows, columns, limit);
      if (found == nullptr) {
        return std::nullopt;
      }
      makespan = std::max(makespan, found->report.total);
    }
  }
  return makespan;
}

Partition partition_of(const Grid& grid, int64_t makespan, Programs& programs) {
  Partition partition{grid.rows.count(), grid.columns.count(), {}, {}, makespan};
  std::map<std::pair<int64_t, int64_t>, size_t> index;
  for (int64_t row = 0; row < grid.rows.count(); ++row) {
    const Piece rows = grid.rows.piece(row);
    for (int64_t column = 0; column < grid.columns.count(); ++column) {
      const Piece columns = grid.columns.piece(column);
      const auto [place, is_new] =
          index.emplace(std::pair(rows.size, columns.size), partition.programs.size());
      if (is_new) {
        const FoundProgram* found = programs.within(rows.size, columns.size, makespan);
        partition.programs.push_back({found->program, found->report, 0});
      }
      ++partition.programs[place->second].count;
      partition.shares.push_back(
          {rows.first, rows.size, columns.first, columns.size, place->second});
    }
  }
  return partition;
}

}  // namespace

Partition choose_partition(const Machine& machine, const GemmSpec& spec,
                           const TilingChoice& choice) {
  if (machine.cores < 1) {
    throw InputError("machine " + machine.name, "cores must be positive");
  }
  if (spec.m <= 0 || spec.n <= 0 || spec.k <= 0) {
    throw InputError("GEMM", "M, N and K must be positive");
  }
  require_supported(machine.core, spec.format);
  const std::vector<Grid> grids = candidate_grids(machine, spec);
  Programs programs(machine, spec, choice);
  const Grid* best = nullptr;
  int64_t best_makespan = std::numeric_limits<int64_t>::max();
  for (const Grid& grid : grids) {
    if (grid.bound > best_makespan) {
      break;
    }
    // Of equally fast grids the one of fewest rows.
    const bool wins_ties = best == nullptr || grid.rows.count() < best->rows.count();
    const int64_t limit = wins_ties ? best_makespan : best_makespan - 1;
    if (const std::optional<int64_t> makespan = makespan_within(grid, limit, programs)) {
      best = &grid;
      best_makespan = *makespan;
    }
  }
  return partition_of(*best, best_makespan, programs);
}

}  // namespace nibblecore
