// SPDX-License-Identifier: Apache-2.0
#include "model/machine/tiler.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>

#include "model/common/checked.hpp"
#include "model/common/error.hpp"
#include "model/machine/cycle_bound.hpp"
#include "model/machine/program_cycles.hpp"

namespace nibblecore {
namespace {

/// What each size of a tiling may be, ascending.
struct Sizes {
  std::vector<int64_t> row_tiles;
  std::vector<int64_t> column_tiles;
  std::vector<int64_t> k_steps;
};

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

Sizes candidate_sizes(const Machine& machine, const GemmSpec& spec) {
  require_supported(machine.core, spec.format);
  if (spec.m <= 0 || spec.n <= 0 || spec.k <= 0) {
    throw InputError("GEMM", "M, N and K must be positive");
  }
  return {sizes_up_to(ceil_divide(spec.m, machine.core.rows), uncut_row_tiles(machine, spec)),
          sizes_up_to(ceil_divide(spec.n, machine.core.columns), 1),
          sizes_up_to(ceil_divide(spec.k, machine.core.depth), k_unit(machine, spec))};
}

template <class T>
std::vector<T> allowed(const std::optional<T>& fixed, std::vector<T> all) {
  return fixed ? std::vector<T>{*fixed} : all;
}

std::vector<Tiling> combinations(const Sizes& sizes, const TilingChoice& choice) {
  const StepOrder step_order = choice.step_order.value_or(StepOrder::kTilesInner);
  std::vector<Tiling> tilings;
  for (const LoopOrder loop_order :
       allowed(choice.loop_order, {LoopOrder::kRowsOuter, LoopOrder::kColumnsOuter})) {
    for (const Residency residency :
         allowed(choice.residency, {Residency::kStreamed, Residency::kOuterKept})) {
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

bool product_exceeds(int64_t a, int64_t b, int64_t limit) { return a > limit / b; }

/// Whether the accumulators alone, or the operands at 4 bits a value, pass a buffer: cheap, true
/// only where fits() is false, and true wherever sizes would leave 64 bits.
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

/// Drops the sizes that are too large even where the other two are the least.
Sizes without_far_too_large(const Machine& machine, const GemmSpec& spec, Sizes sizes) {
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

struct Candidate {
  Tiling tiling;
  int64_t bound;  ///< cycles at least
};

std::vector<Candidate> fitting_candidates(const Machine& machine, const GemmSpec& spec,
                                          const TilingChoice& choice) {
  const Sizes sizes = without_far_too_large(machine, spec, candidate_sizes(machine, spec));
  std::vector<Candidate> candidates;
  for (const Tiling& tiling : combinations(sizes, choice)) {
    if (!far_too_large(machine, spec, tiling) && fits(machine, spec, tiling)) {
      candidates.push_back({tiling, least_cycles(Program(machine, spec, tiling))});
    }
  }
  return candidates;
}

/// The smallest of all candidates, to name the buffer that is too small for it.
Program smallest_program(const Machine& machine, const GemmSpec& spec, const TilingChoice& choice) {
  const Sizes all = candidate_sizes(machine, spec);
  const Sizes least{{all.row_tiles.front()}, {all.column_tiles.front()}, {all.k_steps.front()}};
  return Program(machine, spec, combinations(least, choice).front());
}

}  // namespace

int64_t uncut_row_tiles(const Machine& machine, const GemmSpec& spec) {
  const int64_t rows = machine.core.rows;
  return spec.residual == ResidualPattern::kBlock32x64At50
             ? std::lcm(rows, kResidualTileRows) / rows
             : 1;
}

std::vector<Tiling> candidate_tilings(const Machine& machine, const GemmSpec& spec,
                                      const TilingChoice& choice) {
  return choice.tiling ? std::vector<Tiling>{*choice.tiling}
                       : combinations(candidate_sizes(machine, spec), choice);
}

Program choose_program(const Machine& machine, const GemmSpec& spec, const TilingChoice& choice) {
  if (choice.tiling) {
    return Program(machine, spec, *choice.tiling);
  }
  std::vector<Candidate> candidates = fitting_candidates(machine, spec, choice);
  if (candidates.empty()) {
    return smallest_program(machine, spec, choice);
  }
  // By bound, so that the first ones are likely the best; of equal ones in their own order.
  std::vector<size_t> order(candidates.size());
  for (size_t i = 0; i < order.size(); ++i) {
    order[i] = i;
  }
  std::stable_sort(order.begin(), order.end(),
                   [&](size_t a, size_t b) { return candidates[a].bound < candidates[b].bound; });
  size_t best = order.size();
  int64_t best_total = std::numeric_limits<int64_t>::max();
  for (const size_t i : order) {
    if (candidates[i].bound > best_total) {
      break;
    }
    const int64_t total = program_cycles(Program(machine, spec, candidates[i].tiling)).total;
    if (std::pair(total, i) < std::pair(best_total, best)) {
      best_total = total;
      best = i;
    }
  }
  return Program(machine, spec, candidates[best].tiling);
}

}  // namespace nibblecore
