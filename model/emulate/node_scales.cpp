// SPDX-License-Identifier: Apache-2.0
#include "model/emulate/node_scales.hpp"

#include <algorithm>
#include <cstring>

#include "model/emulate/code_expander.hpp"

namespace nibblecore {
namespace {

/// The largest and the least exponent of some scales.
struct Exponents {
  static constexpr int kFar = 1 << 20;
  int lowest = kFar;
  int highest = -kFar;

  bool has_lowest() const { return lowest != kFar; }
  bool is_empty() const { return highest == -kFar; }
  void include(int low, int high) {
    lowest = std::min(lowest, low);
    highest = std::max(highest, high);
  }
};

/// One operand's scales in a node.
struct Side {
  Exponents all;
  int spread = 0;  ///< largest distance of the exponents of one row (or column)
};

Side side_of(const ScaleRange* ranges, int64_t blocks, ScaleKind kind) {
  Side side;
  for (int64_t block = 0; block < blocks; ++block) {
    if (!ranges[block].is_empty) {
      side.all.include(scale_exponent(ranges[block].smallest, kind),
                       scale_exponent(ranges[block].largest, kind));
    }
  }
  side.spread = side.all.is_empty() || blocks == 1 ? 0 : side.all.highest - side.all.lowest;
  return side;
}

/// `is_zero(block, line)`: whether all elements of a row (or column) in a block are zero.
template <class IsZero>
Side side_of(const float* scales, int64_t blocks, int lines, int stride, ScaleKind kind,
             const IsZero& is_zero) {
  Side side;
  for (int line = 0; line < lines; ++line) {
    Exponents of_line;
    for (int64_t block = 0; block < blocks; ++block) {
      const float scale = scales[block * stride + line];
      if (scale > 0) {  // neither zero nor NaN
        const int exponent = scale_exponent(scale, kind);
        of_line.include(is_zero(block, line) ? Exponents::kFar : exponent, exponent);
      }
    }
    if (!of_line.is_empty()) {
      side.all.include(of_line.lowest, of_line.highest);
    }
    if (of_line.has_lowest()) {
      side.spread = std::max(side.spread, of_line.highest - of_line.lowest);
    }
  }
  return side;
}

NodeScales both(const Side& a, const Side& b) {
  NodeScales scales;
  if (a.all.is_empty() || b.all.is_empty()) {
    return scales;
  }
  scales.highest = a.all.highest + b.all.highest;
  const bool has_products = a.all.has_lowest() && b.all.has_lowest();
  scales.lowest = has_products ? a.all.lowest + b.all.lowest : scales.highest;
  scales.spread = a.spread + b.spread;
  return scales;
}

bool row_is_zero(const uint8_t* elements, int length, uint8_t zero) {
  return std::all_of(elements, elements + length,
                     [zero](uint8_t element) { return element == zero; });
}

bool column_is_zero(const int8_t* quads, int length) {
  uint32_t any = 0;
  for (int64_t k = 0; k < length; k += 4) {
    uint32_t quad = 0;
    std::memcpy(&quad, quads + k * kStripColumns, sizeof quad);
    any |= quad;
  }
  return any == 0;
}

}  // namespace

uint8_t zero_of_a(ElementForm form, ElementKind element) {
  return static_cast<uint8_t>(form == ElementForm::kBiased ? largest_element(element) : 0);
}

NodeScales node_scales(const ScaleRange* a_ranges, const ScaleRange* b_ranges, int64_t blocks,
                       ScaleKind kind) {
  return both(side_of(a_ranges, blocks, kind), side_of(b_ranges, blocks, kind));
}

NodeScales node_scales(const TileBlocks& blocks, ScaleKind kind, uint8_t a_zero) {
  const int length = blocks.length;
  const Side a =
      side_of(blocks.a_scales, blocks.blocks, blocks.rows, kPanelRows, kind,
              [&](int64_t block, int64_t row) {
                return row_is_zero(blocks.a + (block * kPanelRows + row) * length, length, a_zero);
              });
  const Side b = side_of(blocks.b_scales, blocks.blocks, kStripColumns, kStripColumns, kind,
                         [&](int64_t block, int64_t column) {
                           return column_is_zero(
                               blocks.b + block * kStripColumns * length + column * 4, length);
                         });
  return both(a, b);
}

}  // namespace nibblecore
