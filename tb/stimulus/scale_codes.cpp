// SPDX-License-Identifier: Apache-2.0
#include "tb/stimulus/scale_codes.hpp"

#include <algorithm>

namespace nibblecore::tb {
namespace {

/// The scale code about which a GEMM's E8M0 scales lie: the sum of both less 256 is the exponent of
/// what the doubled elements' sums count.
int64_t e8m0_centre(Range range) {
  switch (range) {
    case Range::kOrdinary:
      return 127;
    case Range::kUnderflow:
      return 49;
    case Range::kOverflow:
      return 178;
    case Range::kAny:
      return 127;
  }
  return 127;
}

/// A step away from a centre: mostly small, sometimes behind the aligner, sometimes far.
int64_t random_distance(Dice& dice, Range range) {
  if (range == Range::kAny) {
    return dice.between(-127, 127);
  }
  const int64_t kind = dice.between(0, 9);
  const int64_t most = kind < 7 ? 5 : kind < 9 ? 20 : 45;
  return dice.between(-most, most);
}

uint8_t e8m0_code(Dice& dice, const Theme& theme) {
  if (theme.extremes && dice.chance(0.3)) {
    return dice.of<uint8_t>({0, 1, 252, 253, 254});
  }
  const int64_t distance =
      theme.near_powers ? dice.between(-1, 1) : random_distance(dice, theme.range);
  const int64_t code = e8m0_centre(theme.range) + distance;
  return static_cast<uint8_t>(std::clamp<int64_t>(code, 0, 254));
}

uint8_t ue4m3_code(Dice& dice, const Theme& theme) {
  // The highest bit is ignored.
  const int64_t ignored = dice.chance(0.1) ? 0x80 : 0;
  if (theme.extremes && dice.chance(0.2)) {
    return static_cast<uint8_t>(dice.of<int64_t>({0, 1, 1, 2, 3, 7, 8, 0x77, 0x7E}) | ignored);
  }
  return static_cast<uint8_t>(dice.between(0, 0x7E) | ignored);
}

uint8_t e6m2_code(Dice& dice, const Theme& theme) {
  if (theme.extremes && dice.chance(0.2)) {
    return dice.of<uint8_t>({0, 1, 2, 3, 0xFB, 0xFC, 0xFD, 0xFE});
  }
  if (theme.range == Range::kAny) {
    return static_cast<uint8_t>(dice.between(0, 0xFE));
  }
  const int64_t code = 0xC0 + 4 * (random_distance(dice, theme.range) / 4) + dice.between(0, 3);
  return static_cast<uint8_t>(std::clamp<int64_t>(code, 0, 0xFE));
}

/// The code with its mantissa cleared: a power of two.
uint8_t power_of(ScaleKind kind, uint8_t code) {
  switch (kind) {
    case ScaleKind::kE8m0:
      return code;
    case ScaleKind::kUe4m3:
      if ((code & 0x78) == 0) {
        return static_cast<uint8_t>(code >= 4 ? 4 : code >= 2 ? 2 : code);
      }
      return static_cast<uint8_t>(code & 0xF8);
    case ScaleKind::kHif4:
      return static_cast<uint8_t>(code & 0xFC);
  }
  return code;
}

/// The least scale that is not zero.
uint8_t least_of(ScaleKind kind) { return kind == ScaleKind::kUe4m3 ? 1 : 0; }

uint8_t ordinary_scale(Dice& dice, const Theme& theme, ScaleKind kind) {
  const bool nan = theme.nan && dice.chance(0.04);
  switch (kind) {
    case ScaleKind::kE8m0:
      return nan ? uint8_t{0xFF} : e8m0_code(dice, theme);
    case ScaleKind::kUe4m3:
      return nan ? static_cast<uint8_t>(0x7F | (dice.bits() & 0x80)) : ue4m3_code(dice, theme);
    case ScaleKind::kHif4:
      return nan ? uint8_t{0xFF} : e6m2_code(dice, theme);
  }
  return 0;
}

}  // namespace

uint8_t random_scale(Dice& dice, const Theme& theme, ScaleKind kind) {
  const uint8_t code = ordinary_scale(dice, theme, kind);
  if (theme.least && dice.chance(0.5)) {
    return least_of(kind);
  }
  return theme.near_powers && dice.chance(0.7) ? power_of(kind, code) : code;
}

}  // namespace nibblecore::tb
