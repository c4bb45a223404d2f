// SPDX-License-Identifier: Apache-2.0
#include "model/emulate/node_bounds.hpp"

#include "model/common/bits.hpp"
#include "model/emulate/lane_dispatch.hpp"
#include "model/emulate/lane_vectors.hpp"
#include "model/emulate/node_scales.hpp"

namespace nibblecore {
namespace {

/// FP32 bits of 2^exponent, a normal number.
int32_t power_bits(int exponent) { return (exponent + 127) << 23; }

/// The scales of all rows, or of all columns, in each block.
struct Lines {
  const float* scales;  ///< [blocks, count]
  int count;
  float factor;
  float* bounds;
};

struct Node {
  Lines rows;
  Lines columns;
  int64_t blocks;
  int32_t least;  ///< bits of the least power of two that a scale counts as
};

struct Kernel {
  template <int Width>
  [[gnu::always_inline]] static void run(const Node& node) {
    find<Width>(node, node.rows);
    find<Width>(node, node.columns);
  }

 private:
  template <int Width>
  [[gnu::always_inline]] static void find(const Node& node, const Lines& lines) {
    using Vectors = LaneVectors<Width>;
    using Int = typename Vectors::Int;
    using Float = typename Vectors::Float;
    constexpr int32_t kInfinity = 0x7F800000;
    for (int64_t first = 0; first < lines.count; first += Width) {
      Int largest{};
      for (int64_t block = 0; block < node.blocks; ++block) {
        Int scales;
        Vectors::load(lines.scales + block * lines.count + first, scales);
        Int powers = scales & kInfinity;
        powers = powers < node.least ? Int{} + node.least : powers;
        powers = scales == 0 ? Int{} : powers;
        powers = powers < kInfinity ? powers : Int{};
        largest = powers > largest ? powers : largest;
      }
      largest = largest == 0 ? Int{} + kInfinity : largest;
      Vectors::store(reinterpret_cast<Float>(largest) * lines.factor, lines.bounds + first);
    }
  }
};

}  // namespace

void find_bounds(const TileBlocks& node, ScaleKind kind, const BoundsRule& rule, int spread,
                 EmulatorTarget target, NodeBounds& bounds) {
  // Scales are halves, which the columns' factor makes up for.
  const int32_t least = kind == ScaleKind::kE8m0 ? 0 : power_bits(least_scale_exponent(kind) - 1);
  const float factor = -bits_float(static_cast<uint32_t>(power_bits(rule.floor + 2)));
  const Lines rows{node.a_scales, kPanelRows, 1.0F, bounds.rows.data()};
  const Lines columns{node.b_scales, kStripColumns, factor, bounds.columns.data()};
  bounds.binades = rule.ceiling - rule.floor - spread;
  LaneDispatch<Kernel>::run(target, Node{rows, columns, node.blocks, least});
}

}  // namespace nibblecore
