// SPDX-License-Identifier: Apache-2.0
#include "model/machine/tiling_candidates.hpp"

#include <algorithm>
#include <numeric>
#include <tuple>

#include "model/common/checked.hpp"
#include "model/common/error.hpp"
#include "model/machine/program.hpp"

namespace nibblecore {
namespace {

/// `unit` times the powers of two below `extent`, and `extent` itself.
std::vector<int64_t> sizes_up_to(int64_t extent, int64_t unit) {
  std::vector<int64_t> sizes;
  for (int64_t size = unit; size < extent; size *= 2) {
    sizes.push_back(size);
    if (size > extent / 2) {
      break;
    }
  }
  sizes.push_back(extent);
  return sizes;
}

/// Steps along K that no chunk may cut: an interleaved residual follows each granule of K, a mask
/// has tiles along K too, and a macro block has one factor.
int64_t k_unit(const Machine& machine, const GemmSpec& spec) {
  const int64_t depth = machine.core.depth;
  if (spec.macro_length >= spec.k) {
    return ceil_divide(spec.k, depth);
  }
  int64_t unit = std::max<int64_t>(depth, spec.macro_length);
  if (spec.residual == ResidualPattern::kBlock32x64At50) {
    unit = std::lcm(unit, kResidualTileChannels);
  }
  if (spec.residual != ResidualPattern::kNone &&
      spec.residual_order == ResidualOrder::kInterleaved) {
    unit = std::lcm(unit, residual_granule(spec.residual_build, spec.residual_order, spec.k));
  }
  return unit / depth;
}

template <class T>
std::vector<T> allowed(const std::optional<T>& fixed, std::vector<T> all) {
  return fixed ? std::vector<T>{*fixed} : all;
}

bool product_exceeds(int64_t a, int64_t b, int64_t limit) { return a > limit / b; }

}  // namespace

int64_t uncut_row_tiles(const Machine& machine, const GemmSpec& spec) {
  const int64_t rows = machine.core.rows;
  return spec.residual == ResidualPattern::kBlock32x64At50
             ? std::lcm(rows, kResidualTileRows) / rows
             : 1;
}

TilingSizes candidate_sizes(const Machine& machine, const GemmSpec& spec) {
  require_supported(machine.core, spec.format);
  if (spec.m <= 0 || spec.n <= 0 || spec.k <= 0) {
    throw InputError("GEMM", "M, N and K must be positive");
  }
  return {sizes_up_to(ceil_divide(spec.m, machine.core.rows), uncut_row_tiles(machine, spec)),
          sizes_up_to(ceil_divide(spec.n, machine.core.columns), 1),
          sizes_up_to(ceil_divide(spec.k, machine.core.depth), k_unit(machine, spec))};
}

std::vector<LoopOrder> loop_orders(const TilingChoice& choice) {
  return allowed(choice.loop_order, {LoopOrder::kRowsOuter, LoopOrder::kColumnsOuter});
}

std::vector<Residency> residencies(const TilingChoice& choice) {
  return allowed(choice.residency, {Residency::kStreamed, Residency::kOuterKept});
}

std::vector<Tiling> combinations(const TilingSizes& sizes, const TilingChoice& choice) {
  const StepOrder step_order = choice.step_order.value_or(StepOrder::kTilesInner);
  std::vector<Tiling> tilings;
  for (const LoopOrder loop_order : loop_orders(choice)) {
    for (const Residency residency : residencies(choice)) {
      for (const int64_t k_steps : sizes.k_steps) {
        for (const int64_t row_tiles : sizes.row_tiles) {
          for (const int64_t column_tiles : sizes.column_tiles) {
            tilings.push_back(
                {row_tiles, column_tiles, k_steps, loop_order, step_order, residency});
          }
        }
      }
    }
  }
  return tilings;
}

bool comes_before(const Tiling& a, const Tiling& b) {
  const auto key = [](const Tiling& tiling) {
    return std::tie(tiling.loop_order, tiling.residency, tiling.k_steps, tiling.row_tiles,
                    tiling.column_tiles);
  };
  return key(a) < key(b);
}

std::vector<Tiling> candidate_tilings(const Machine& machine, const GemmSpec& spec,
                                      const TilingChoice& choice) {
  return choice.tiling ? std::vector<Tiling>{*choice.tiling}
                       : combinations(candidate_sizes(machine, spec), choice);
}

bool far_too_large(const Machine& machine, const GemmSpec& spec, const Tiling& tiling) {
  constexpr int64_t kAccumulatorBytes = 8;  // an FP32 in each half
  const int64_t whole_rows = tiling.row_tiles * machine.core.rows;
  const int64_t whole_columns = tiling.column_tiles * machine.core.columns;
  const int64_t rows = std::min(whole_rows, spec.m);
  const int64_t columns = std::min(whole_columns, spec.n);
  const int64_t k = std::min(tiling.k_steps * machine.core.depth, spec.k);
  const bool kept = tiling.residency == Residency::kOuterKept;
  const int64_t panel = tiling.loop_order == LoopOrder::kRowsOuter ? rows : columns;
  // 4 bits a value in each of two halves: a byte a value.
  return product_exceeds(whole_rows, whole_columns, machine.l0c_bytes / kAccumulatorBytes) ||
         product_exceeds(rows, k, machine.l0a_bytes) ||
         product_exceeds(columns, k, machine.l0b_bytes) ||
         product_exceeds(panel, kept ? spec.k : k, machine.l1_bytes);
}

TilingSizes without_far_too_large(const Machine& machine, const GemmSpec& spec, TilingSizes sizes) {
  const Tiling least{sizes.row_tiles.front(), sizes.column_tiles.front(), sizes.k_steps.front()};
  const auto drop = [&](std::vector<int64_t>& values, int64_t Tiling::*size) {
    values.erase(std::remove_if(values.begin(), values.end(),
                                [&](int64_t value) {
                                  Tiling tiling = least;
                                  tiling.*size = value;
                                  return far_too_large(machine, spec, tiling);
                                }),
                 values.end());
  };
  drop(sizes.row_tiles, &Tiling::row_tiles);
  drop(sizes.column_tiles, &Tiling::column_tiles);
  drop(sizes.k_steps, &Tiling::k_steps);
  return sizes;
}

}  // namespace nibblecore
