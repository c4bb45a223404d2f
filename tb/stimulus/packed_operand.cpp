// SPDX-License-Identifier: Apache-2.0
#include "tb/stimulus/packed_operand.hpp"

#include <algorithm>
#include <vector>

#include "tb/stimulus/block_codes.hpp"
#include "tb/stimulus/scale_codes.hpp"

namespace nibblecore::tb {
namespace {

/// HiF4's micro-exponents, bits of 8 and 16 groups.
void write_micro_exponents(Dice& dice, BlockStyle style, uint8_t* scale) {
  const bool greatest = style == BlockStyle::kGreatest || style == BlockStyle::kMixedGreatest;
  const int64_t kind = greatest && dice.chance(0.7) ? 2 : dice.between(0, 5);
  for (int byte = 1; byte <= 3; ++byte) {
    scale[byte] = static_cast<uint8_t>(kind == 1 ? 0 : kind == 2 ? 0xFF : dice.bits() & 0xFF);
  }
}

BlockStyle random_style(Dice& dice, const StimulusConstraints& constraints, const Theme& theme) {
  if (theme.greatest && dice.chance(0.6)) {
    return BlockStyle::kGreatest;
  }
  if (theme.near_powers && dice.chance(0.8)) {
    return dice.of<BlockStyle>({BlockStyle::kNearPower, BlockStyle::kNearPower,
                                BlockStyle::kConstant, BlockStyle::kConstant, BlockStyle::kPowers});
  }
  return dice.weighted<BlockStyle>(constraints.block_styles);
}

}  // namespace

PackedMatrix random_packed(Dice& dice, const StimulusConstraints& constraints, const Theme& theme,
                           const BlockFormat& format, int64_t rows, int64_t k) {
  PackedMatrix matrix = make_packed_matrix(format, rows, k);
  for (int64_t row = 0; row < rows; ++row) {
    for (int64_t block = 0; block < matrix.blocks(); ++block) {
      const BlockStyle style = random_style(dice, constraints, theme);
      const int64_t first = block * format.block;
      const int64_t count = std::min<int64_t>(format.block, k - first);
      const std::vector<uint8_t> codes =
          random_codes(dice, format.element, style, static_cast<size_t>(count));
      for (int64_t i = 0; i < count; ++i) {
        set_packed_code(matrix.row_codes(row), first + i, codes[static_cast<size_t>(i)]);
      }
      uint8_t* scale = matrix.row_scales(row) + block * format.scale_bytes();
      scale[0] = random_scale(dice, theme, format.scale);
      if (format.scale == ScaleKind::kHif4) {
        write_micro_exponents(dice, style, scale);
      }
    }
  }
  return matrix;
}

}  // namespace nibblecore::tb
