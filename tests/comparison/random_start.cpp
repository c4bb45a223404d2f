// SPDX-License-Identifier: Apache-2.0
#include "tests/comparison/random_start.hpp"

#include <algorithm>
#include <array>

#include "model/formats/e6m2.hpp"
#include "model/formats/e8m0.hpp"
#include "model/formats/ue4m3.hpp"

namespace nibblecore::comparison {
namespace {

/// Roughly the exponent of the values of a block.
int block_exponent(const PackedMatrix& matrix, int64_t row) {
  const uint8_t code = matrix.row_scales(row)[0];
  switch (matrix.format.scale) {
    case ScaleKind::kE8m0:
      return decode(kE8m0Format, code).exponent;
    case ScaleKind::kUe4m3:
      return decode(kUe4m3Format, code).exponent;
    case ScaleKind::kHif4:
      return decode(kE6m2Format, code).exponent;
  }
  return 0;
}

enum class StartLaw { kNone, kSpecial, kZero, kAny, kNearSums };
constexpr int kStartLaws = 5;

uint32_t random_special(Dice& dice) {
  constexpr std::array<uint32_t, 14> specials{
      0,          0x80000000, 1,          0x80000001, 0x7F800000, 0xFF800000, 0x7F7FFFFF,
      0xFF7FFFFF, 0x007FFFFF, 0x00800000, 0x7FC12345, 0xFFC00001, 0x7F812345, 0xFF800001};
  return specials.at(static_cast<size_t>(dice.roll(14)));
}

uint32_t near_number(int exponent, int reach, Dice& dice) {
  const int field = std::clamp(127 + exponent + dice.between(-reach, reach), 0, 254);
  // Half of the fractions have few bits, so that sums come to lie on ties and on zero.
  const uint32_t fraction = dice.bits() & (dice.roll(2) == 0 ? 0x7FFFFF : 0x780000);
  return (dice.bits() & 0x80000000) | static_cast<uint32_t>(field) << 23 | fraction;
}

}  // namespace

std::vector<uint32_t> random_start(const PackedMatrix& a, const PackedMatrix& b, Dice& dice) {
  const auto law = static_cast<StartLaw>(dice.roll(kStartLaws));
  if (law == StartLaw::kNone) {
    return {};
  }
  constexpr std::array<int, 4> reaches{3, 12, 40, 120};
  const int reach = reaches.at(static_cast<size_t>(dice.roll(4)));
  std::vector<uint32_t> start;
  start.reserve(static_cast<size_t>(a.rows * b.rows));
  for (int64_t row = 0; row < a.rows; ++row) {
    const int row_exponent = block_exponent(a, row);
    for (int64_t column = 0; column < b.rows; ++column) {
      if (law == StartLaw::kSpecial || dice.roll(100) == 0) {
        start.push_back(random_special(dice));
      } else if (law == StartLaw::kNearSums) {
        start.push_back(near_number(row_exponent + block_exponent(b, column), reach, dice));
      } else {
        start.push_back(dice.bits() & (law == StartLaw::kZero ? 0x80000000 : 0xFFFFFFFF));
      }
    }
  }
  return start;
}

}  // namespace nibblecore::comparison
