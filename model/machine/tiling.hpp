// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace nibblecore {

/// Which regions of the output follow each other: along a row of regions (rows outer), or down a
/// column (columns outer). The operand of the outer loop can stay in L1.
enum class LoopOrder { kRowsOuter, kColumnsOuter };

/// The order of steps inside a chunk: every output tile before the next step along K (hides the
/// accumulators' latency), or all steps along K of a tile before the next tile.
enum class StepOrder { kTilesInner, kStepsInner };

/// Whether the outer operand's panel of the whole K stays in L1 while the inner loop runs.
enum class Residency { kStreamed, kOuterKept };

/// The sizes and orders that a program is made of. A region of row_tiles x column_tiles output
/// tiles fills one half of L0C; K passes in chunks of k_steps steps, each of which fills one half
/// of L0A and L0B.
struct Tiling {
  int64_t row_tiles;
  int64_t column_tiles;
  int64_t k_steps;
  LoopOrder loop_order = LoopOrder::kRowsOuter;
  StepOrder step_order = StepOrder::kTilesInner;
  Residency residency = Residency::kStreamed;

  friend constexpr bool operator==(const Tiling& a, const Tiling& b) {
    return a.row_tiles == b.row_tiles && a.column_tiles == b.column_tiles &&
           a.k_steps == b.k_steps && a.loop_order == b.loop_order && a.step_order == b.step_order &&
           a.residency == b.residency;
  }
};

struct LoopOrderRecord {
  std::string_view name;
  LoopOrder order;
};
inline constexpr std::array<LoopOrderRecord, 2> kLoopOrders{
    {{"rows", LoopOrder::kRowsOuter}, {"columns", LoopOrder::kColumnsOuter}}};

struct StepOrderRecord {
  std::string_view name;
  StepOrder order;
};
inline constexpr std::array<StepOrderRecord, 2> kStepOrders{
    {{"tiles", StepOrder::kTilesInner}, {"steps", StepOrder::kStepsInner}}};

/// The order of this name; InputError naming the known ones otherwise.
LoopOrder loop_order(std::string_view name);
StepOrder step_order(std::string_view name);
std::string_view name_of(LoopOrder order);
std::string_view name_of(StepOrder order);

}  // namespace nibblecore
