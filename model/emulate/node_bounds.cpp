// SPDX-License-Identifier: Apache-2.0
#include "model/emulate/node_bounds.hpp"

#include <cmath>

#include "model/common/bits.hpp"
#include "model/emulate/lane_vectors.hpp"
#include "model/emulate/node_scales.hpp"
#include "model/emulate/quantize_dispatch.hpp"

namespace nibblecore {
namespace {

/// The scales of a row (or column) in each block.
struct Lines {
  const float* scales;  ///< [blocks, count]
  int64_t blocks;
  int count;
  int32_t least;  ///< bits of the least power of two that a scale counts as
  float factor;
  float* bounds;
};

struct Kernel {
  template <int Width>
  [[gnu::always_inline]] void run(const Lines& lines) const {
    using Vectors = LaneVectors<Width>;
    using Int = typename Vectors::Int;
    using Float = typename Vectors::Float;
    constexpr int32_t kInfinity = 0x7F800000;
    for (int first = 0; first < lines.count; first += Width) {
      Int largest{};
      for (int64_t block = 0; block < lines.blocks; ++block) {
        Int scales;
        Vectors::load(lines.scales + block * lines.count + first, scales);
        Int powers = scales & kInfinity;
        powers = powers < lines.least ? Int{} + lines.least : powers;
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

void find_bounds(const TileBlocks& node, ScaleKind kind, int floor, EmulatorTarget target,
                 NodeBounds& bounds) {
  // Scales are halves, which the columns' factor makes up for.
  const int32_t least =
      kind == ScaleKind::kE8m0
          ? 0
          : static_cast<int32_t>(float_bits(std::ldexp(1.0F, least_scale_exponent(kind) - 1)));
  const Lines rows{node.a_scales, node.blocks, kPanelRows, least, 1.0F, bounds.rows.data()};
  const Lines columns{
      node.b_scales,        node.blocks, kStripColumns, least, -std::ldexp(1.0F, floor + 2),
      bounds.columns.data()};
  QuantizeDispatch<Kernel, Lines>::run(target, {}, rows);
  QuantizeDispatch<Kernel, Lines>::run(target, {}, columns);
}

}  // namespace nibblecore
