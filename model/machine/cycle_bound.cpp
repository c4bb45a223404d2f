// SPDX-License-Identifier: Apache-2.0
#include "model/machine/cycle_bound.hpp"

#include <algorithm>
#include <string_view>

#include "model/common/checked.hpp"
#include "model/machine/program_sizes.hpp"
#include "model/machine/trip_cost.hpp"

namespace nibblecore {
namespace {

constexpr std::string_view kPlace = "cycles of a GEMM";
constexpr int64_t kAccumulatorBytes = 4;

int64_t times(int64_t a, int64_t b) { return checked_multiply(a, b, kPlace); }
int64_t plus(int64_t a, int64_t b) { return checked_add(a, b, kPlace); }

/// An extent in pieces of equal whole units; the last piece may be smaller.
struct Cut {
  int64_t piece;  ///< of whole units
  int64_t count;
  int64_t first;  ///< inside the extent
  int64_t last;

  Cut(int64_t extent, int64_t unit, int64_t units)
      : piece(std::min(units, ceil_divide(extent, unit)) * unit),
        count(ceil_divide(extent, piece)),
        first(std::min(piece, extent)),
        last(extent - (count - 1) * piece) {}
};

/// Bytes of operand A's image. Pieces along K are whole blocks and macro blocks, so that only a
/// residual's mask depends on how rows and K are cut.
int64_t a_image_bytes(const GemmSpec& spec, int64_t m, const Cut& rows, const Cut& k) {
  if (mask_bytes(spec, m, spec.k) == 0) {
    return a_piece_bytes(spec, m, spec.k);
  }
  const auto panel = [&](int64_t panel_rows) {
    return plus(times(k.count - 1, a_piece_bytes(spec, panel_rows, k.piece)),
                a_piece_bytes(spec, panel_rows, k.last));
  };
  return plus(times(rows.count - 1, panel(rows.piece)), panel(rows.last));
}

}  // namespace

CycleBound::CycleBound(const Machine& machine, const GemmSpec& spec)
    : machine_(machine),
      spec_(spec),
      beat_blocks_(std::max<int64_t>(1, machine.quantizer_values_per_cycle / spec.format.block)),
      beat_cycles_(ceil_divide(spec.format.block, machine.quantizer_values_per_cycle)),
      move_a_latency_(nibblecore::move_a_latency(machine, spec)),
      move_b_latency_(nibblecore::move_b_latency(machine, spec)) {}

int64_t CycleBound::quantizer_cycles(OperandPath path, int64_t blocks) const {
  return path == OperandPath::kPacked ? 0 : times(ceil_divide(blocks, beat_blocks_), beat_cycles_);
}

CycleBound::Move CycleBound::move_a(int64_t rows, int64_t k) const {
  const int64_t blocks = times(rows, ceil_divide(k, spec_.format.block));
  const int64_t bytes = spec_.a == OperandPath::kPacked
                            ? a_piece_bytes(spec_, rows, k)
                            : times(blocks, spec_.format.block * input_bytes(spec_.a));
  const int64_t occupied =
      plus(machine_.l1_to_l0a.duration(mask_bytes(spec_, rows, k)),
           std::max(machine_.l1_to_l0a.duration(bytes), quantizer_cycles(spec_.a, blocks)));
  return {occupied, plus(occupied, move_a_latency_)};
}

CycleBound::Move CycleBound::move_b(int64_t columns, int64_t k) const {
  const int64_t blocks = times(columns, ceil_divide(k, spec_.format.block));
  const int64_t bytes = spec_.b == OperandPath::kPacked
                            ? b_piece_bytes(spec_, columns, k)
                            : times(blocks, spec_.format.block * input_bytes(spec_.b));
  const int64_t occupied =
      std::max(machine_.l1_to_l0b.duration(bytes), quantizer_cycles(spec_.b, blocks));
  return {occupied, plus(occupied, move_b_latency_)};
}

CycleBound::Regions CycleBound::regions(int64_t m, int64_t n, const Tiling& tiling,
                                        const ChunkTimes& chunks) const {
  const Cut rows(m, machine_.core.rows, tiling.row_tiles);
  const Cut columns(n, machine_.core.columns, tiling.column_tiles);
  const Cut k(spec_.k, machine_.core.depth, tiling.k_steps);
  const int64_t latency = machine_.memory_latency;
  const int64_t visits = chunks.pass_twice() ? 2 : 1;
  const bool starts_from_memory = spec_.start == Start::kFromMemory;
  const int64_t outputs = times(m, n);
  const int64_t first_outputs = times(rows.first, columns.first);
  const int64_t output_bytes = nibblecore::output_bytes(spec_.output);

  Regions regions{};
  regions.rows = rows.count;
  regions.columns = columns.count;
  regions.passes_twice = chunks.pass_twice();
  regions.a_image = a_image_bytes(spec_, m, rows, k);
  regions.b_image = b_piece_bytes(spec_, n, spec_.k);
  regions.a_moved = times(regions.a_image, times(visits, columns.count));
  regions.b_moved = times(regions.b_image, times(visits, rows.count));
  regions.result_bytes = plus(times(outputs, output_bytes),
                              starts_from_memory ? times(outputs, kAccumulatorBytes) : 0);

  // The array: its steps, between the first operands and the last store.
  const int64_t row_tiles = rows.piece / machine_.core.rows;
  const int64_t column_tiles = columns.piece / machine_.core.columns;
  const int64_t last_row_tiles = ceil_divide(rows.last, machine_.core.rows);
  const int64_t last_column_tiles = ceil_divide(columns.last, machine_.core.columns);
  const int64_t last_tiles = last_row_tiles * last_column_tiles;
  int64_t span = chunks.region_cycles(last_tiles);
  const auto add_regions = [&](int64_t count, int64_t tiles) {
    if (count > 0) {
      span = plus(span, times(count, chunks.region_cycles(tiles)));
    }
  };
  add_regions(rows.count - 1, row_tiles * last_column_tiles);
  add_regions(columns.count - 1, last_row_tiles * column_tiles);
  add_regions(times(rows.count - 1, columns.count - 1), row_tiles * column_tiles);

  const int64_t a_loaded =
      plus(machine_.memory.duration(a_piece_bytes(spec_, rows.first, k.first)), latency);
  const int64_t b_loaded =
      plus(a_loaded, machine_.memory.duration(b_piece_bytes(spec_, columns.first, k.first)));
  const int64_t first_start_bytes =
      starts_from_memory ? times(first_outputs, kAccumulatorBytes) : 0;
  const int64_t start_loaded =
      starts_from_memory ? plus(b_loaded, machine_.memory.duration(first_start_bytes)) : 0;
  const Move first_a = move_a(rows.first, k.first);
  const Move first_b = move_b(columns.first, k.first);
  const int64_t first_issue =
      std::max({start_loaded, plus(a_loaded, first_a.end), plus(b_loaded, first_b.end)});
  const int64_t last_store =
      plus(machine_.memory.duration(times(times(rows.last, columns.last), output_bytes)), latency);
  const int64_t by_array =
      plus(plus(first_issue, span - 1), plus(chunks.result_after_last_issue(), last_store));

  // The moves, between the first load and the steps of the last trip.
  const int64_t behind_last_trip = plus(chunks.result_after_last_chunk(last_tiles), last_store);
  const auto by_move = [&](int64_t loaded, int64_t moves, int64_t move_latency) {
    return plus(plus(loaded, moves), plus(move_latency, behind_last_trip));
  };
  const int64_t a_blocks = times(times(m, spec_.blocks()), times(visits, columns.count));
  const int64_t b_blocks = times(times(n, spec_.blocks()), times(visits, rows.count));
  regions.least = std::max({by_array,
                            by_move(a_loaded,
                                    std::max(machine_.l1_to_l0a.duration(regions.a_moved),
                                             quantizer_cycles(spec_.a, a_blocks)),
                                    move_a_latency_),
                            by_move(b_loaded,
                                    std::max(machine_.l1_to_l0b.duration(regions.b_moved),
                                             quantizer_cycles(spec_.b, b_blocks)),
                                    move_b_latency_)});

  const int64_t late_regions = ceil_divide(Program::kStoreLag + 1, chunks.chunks());
  regions.late_bytes =
      plus(times(late_regions, times(first_outputs, output_bytes)), first_start_bytes);
  regions.behind_last_a = plus(plus(latency, move_a(rows.last, k.last).end), behind_last_trip);
  regions.behind_last_b = plus(plus(latency, move_b(columns.last, k.last).end), behind_last_trip);
  return regions;
}

int64_t CycleBound::least_cycles(const Regions& regions, LoopOrder loop_order,
                                 Residency residency) const {
  const bool rows_outer = loop_order == LoopOrder::kRowsOuter;
  const bool kept = residency == Residency::kOuterKept;
  const bool b_kept = kept && !rows_outer;
  const int64_t bytes = plus(plus(kept && rows_outer ? regions.a_image : regions.a_moved,
                                  b_kept ? regions.b_image : regions.b_moved),
                             regions.result_bytes);
  const int64_t by_port = plus(machine_.memory.duration(bytes), machine_.memory_latency);
  // The loads: all of them pass the port before the last trip can move; but for the stores whose
  // place is behind them, and the last region's start values, so does the rest.
  const int64_t early_bytes = std::max<int64_t>(0, bytes - regions.late_bytes);
  const bool loads_b_last = !b_kept || (regions.rows == 1 && !regions.passes_twice);
  const int64_t by_loads = plus(machine_.memory.duration(early_bytes),
                                loads_b_last ? regions.behind_last_b : regions.behind_last_a);
  return std::max({regions.least, by_port, by_loads});
}

int64_t least_cycles(const Program& program) {
  const ChunkTimes chunks(program);
  const Tiling& tiling = program.tiling();
  const CycleBound bound(program.machine(), program.spec());
  return bound.least_cycles(bound.regions(program.spec().m, program.spec().n, tiling, chunks),
                            tiling.loop_order, tiling.residency);
}

}  // namespace nibblecore
