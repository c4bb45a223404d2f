// SPDX-License-Identifier: Apache-2.0
#include "model/machine/partition.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <optional>
#include <utility>

#include "model/common/checked.hpp"
#include "model/common/error.hpp"
#include "model/machine/program_cycles.hpp"
#include "model/machine/program_sizes.hpp"

namespace nibblecore {
namespace {

/// Part of an extent.
struct Piece {
  int64_t first;
  int64_t size;
};

/// `extent` in `count` pieces of whole units, the larger ones first.
std::vector<Piece> split(int64_t extent, int64_t unit, int64_t count) {
  const int64_t units = ceil_divide(extent, unit);
  std::vector<Piece> pieces;
  int64_t first = 0;
  for (int64_t i = 0; i < count; ++i) {
    const int64_t size = (units / count + (i < units % count ? 1 : 0)) * unit;
    pieces.push_back({first, std::min(size, extent - first)});
    first += size;
  }
  return pieces;
}

struct Grid {
  std::vector<Piece> rows;
  std::vector<Piece> columns;
  int64_t bound;  ///< cycles of the slowest core at least
};

GemmSpec share_spec(const GemmSpec& spec, const Piece& rows, const Piece& columns) {
  GemmSpec share = spec;
  share.m = rows.size;
  share.n = columns.size;
  return share;
}

/// Cycles of any program of this GEMM at least: its dense steps, and its operands and results once
/// through the memory port.
int64_t least_cycles_of_any(const Machine& machine, const GemmSpec& spec) {
  const char* place = "cycles of a GEMM";
  const int64_t tiles = checked_multiply(ceil_divide(spec.m, machine.core.rows),
                                         ceil_divide(spec.n, machine.core.columns), place);
  const int64_t steps = checked_multiply(tiles, ceil_divide(spec.k, machine.core.depth), place);
  const int64_t loads =
      checked_add(a_piece_bytes(spec, spec.m, spec.k), b_piece_bytes(spec, spec.n, spec.k), place);
  return std::max(steps, machine.memory.duration(loads));
}

std::vector<Grid> candidate_grids(const Machine& machine, const GemmSpec& spec) {
  const int64_t row_unit = uncut_row_tiles(machine, spec) * machine.core.rows;
  const int64_t column_unit = machine.core.columns;
  const int64_t row_units = ceil_divide(spec.m, row_unit);
  const int64_t column_units = ceil_divide(spec.n, column_unit);
  std::vector<Grid> grids;
  for (int64_t cores_m = 1; cores_m <= std::min<int64_t>(machine.cores, row_units); ++cores_m) {
    const int64_t cores_n = std::min(machine.cores / cores_m, column_units);
    Grid grid{split(spec.m, row_unit, cores_m), split(spec.n, column_unit, cores_n), 0};
    grid.bound =
        least_cycles_of_any(machine, share_spec(spec, grid.rows.front(), grid.columns.front()));
    grids.push_back(std::move(grid));
  }
  // A first piece is a largest one, so its bound holds for the grid.
  std::stable_sort(grids.begin(), grids.end(),
                   [](const Grid& a, const Grid& b) { return a.bound < b.bound; });
  return grids;
}

/// Programs of all sizes of share that were asked for.
class Programs {
 public:
  Programs(const Machine& machine, const GemmSpec& spec, const TilingChoice& choice)
      : machine_(machine), spec_(spec), choice_(choice) {}

  const TimedProgram& of(const Piece& rows, const Piece& columns) {
    const std::pair key(rows.size, columns.size);
    auto found = known_.find(key);
    if (found == known_.end()) {
      Program program = choose_program(machine_, share_spec(spec_, rows, columns), choice_);
      const CycleReport report = program_cycles(program);
      found = known_.emplace(key, TimedProgram{std::move(program), report, 0}).first;
    }
    return found->second;
  }

 private:
  const Machine& machine_;
  const GemmSpec& spec_;
  const TilingChoice& choice_;
  std::map<std::pair<int64_t, int64_t>, TimedProgram> known_;
};

/// Sizes of the pieces, each once: the first ones are the largest, the last one is at the edge.
std::vector<Piece> distinct_sizes(const std::vector<Piece>& pieces) {
  std::vector<Piece> distinct;
  for (const Piece& piece : pieces) {
    if (distinct.empty() || distinct.back().size != piece.size) {
      distinct.push_back(piece);
    }
  }
  return distinct;
}

/// The grid's slowest core, or nothing as soon as that is known to be slower than `limit`.
std::optional<int64_t> makespan_within(const Grid& grid, int64_t limit, Programs& programs) {
  int64_t makespan = 0;
  for (const Piece& rows : distinct_sizes(grid.rows)) {
    for (const Piece& columns : distinct_sizes(grid.columns)) {
      makespan = std::max(makespan, programs.of(rows, columns).report.total);
      if (makespan > limit) {
        return std::nullopt;
      }
    }
  }
  return makespan;
}

Partition partition_of(const Grid& grid, int64_t makespan, Programs& programs) {
  Partition partition{static_cast<int64_t>(grid.rows.size()),
                      static_cast<int64_t>(grid.columns.size()),
                      {},
                      {},
                      makespan};
  std::map<std::pair<int64_t, int64_t>, size_t> index;
  for (const Piece& rows : grid.rows) {
    for (const Piece& columns : grid.columns) {
      const auto [place, is_new] =
          index.emplace(std::pair(rows.size, columns.size), partition.programs.size());
      if (is_new) {
        partition.programs.push_back(programs.of(rows, columns));
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
    const std::optional<int64_t> makespan = makespan_within(grid, best_makespan, programs);
    const bool better =
        makespan && (best == nullptr || *makespan < best_makespan ||
                     (*makespan == best_makespan && grid.rows.size() < best->rows.size()));
    if (better) {
      best = &grid;
      best_makespan = *makespan;
    }
  }
  return partition_of(*best, best_makespan, programs);
}

}  // namespace nibblecore
