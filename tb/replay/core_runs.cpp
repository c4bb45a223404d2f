// SPDX-License-Identifier: Apache-2.0
#include "tb/replay/core_runs.hpp"

#include <algorithm>
#include <random>
#include <set>
#include <string>

#include "model/common/checked.hpp"
#include "model/common/error.hpp"

namespace nibblecore::tb {
namespace {

void run_share(const TimedProgram& timed, const CoreGemm& gemm, CoreBench& bench,
               hw::TimelineSink* timeline) {
  const CycleReport measured = bench.run(timed.program, gemm, timeline);
  if (!(measured == timed.report)) {
    throw InternalError("the core took " + std::to_string(measured.total) +
                        " cycles, the cycle model says " + std::to_string(timed.report.total));
  }
}

}  // namespace

void run_partition(const Partition& partition, const PackedProduct& product, CoreBench& bench,
                   hw::TimelineSink* timeline, uint32_t* d) {
  if (partition.shares.size() == 1) {
    run_share(partition.programs.front(), product.core_gemm(product.core_a(), product.core_b(), d),
              bench, timeline);
    return;
  }
  const int64_t n = product.b().rows;
  std::vector<uint32_t> part;
  for (const CoreShare& share : partition.shares) {
    const OperandRows a(product.core_a(), share.first_row, share.rows);
    const OperandRows b(product.core_b(), share.first_column, share.columns);
    part.resize(static_cast<size_t>(share.rows * share.columns));
    run_share(partition.programs[share.program],
              product.core_gemm(a.operand(), b.operand(), part.data()), bench, timeline);
    for (int64_t row = 0; row < share.rows; ++row) {
      std::copy_n(part.begin() + row * share.columns, share.columns,
                  d + (share.first_row + row) * n + share.first_column);
    }
    timeline = nullptr;
  }
}

std::vector<TileBounds> sample_tiles(const CoreDescription& core, int64_t m, int64_t n,
                                     int64_t count, uint64_t seed) {
  const int64_t columns = ceil_divide(n, core.columns);
  const int64_t tiles = checked_multiply(ceil_divide(m, core.rows), columns, "output tiles");
  std::set<int64_t> chosen;
  std::mt19937_64 random(seed);
  const auto wanted = static_cast<size_t>(std::min(count, tiles));
  while (chosen.size() < wanted) {
    // Not a distribution of the standard library: those differ between implementations.
    chosen.insert(static_cast<int64_t>(random() % static_cast<uint64_t>(tiles)));
  }
  std::vector<TileBounds> bounds;
  for (const int64_t tile : chosen) {
    const int64_t row = tile / columns * core.rows;
    const int64_t column = tile % columns * core.columns;
    // A mask's row tile ends a sample of a core whose rows don't divide it.
    const int64_t to_mask_tile = kResidualTileRows - row % kResidualTileRows;
    bounds.push_back({row, std::min({int64_t{core.rows}, m - row, to_mask_tile}), column,
                      std::min<int64_t>(core.columns, n - column)});
  }
  return bounds;
}

std::vector<uint32_t> run_tile(const GemmSpec& spec, const TileBounds& tile,
                               const PackedProduct& product, CoreBench& bench) {
  GemmSpec tile_spec = spec;
  tile_spec.m = tile.rows;
  tile_spec.n = tile.columns;
  const Program program = choose_program(bench.machine(), tile_spec);
  const OperandRows a(product.core_a(), tile.first_row, tile.rows);
  const OperandRows b(product.core_b(), tile.first_column, tile.columns);
  std::vector<uint32_t> bits(static_cast<size_t>(tile.rows * tile.columns));
  bench.run(program, product.core_gemm(a.operand(), b.operand(), bits.data()));
  return bits;
}

}  // namespace nibblecore::tb
