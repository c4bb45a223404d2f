// SPDX-License-Identifier: Apache-2.0
#include "tb/stimulus/block_codes.hpp"

#include <algorithm>
#include <array>

namespace nibblecore::tb {
namespace {

constexpr uint8_t kGreatestCode = 7;
constexpr uint8_t kSign = 8;

/// Codes whose magnitudes sum to 127 or 129, or to what so many elements give, one sign.
void fill_near_power(Dice& dice, ElementKind element, std::vector<uint8_t>& codes) {
  constexpr std::array<int, 8> kDoubled{0, 1, 2, 3, 4, 6, 8, 12};
  const bool e2m1 = element == ElementKind::kE2m1;
  int rest = dice.chance(0.5) ? 127 : 129;
  for (uint8_t& code : codes) {
    uint8_t magnitude = kGreatestCode;
    while ((e2m1 ? kDoubled.at(magnitude) : magnitude) > rest) {
      --magnitude;
    }
    rest -= e2m1 ? kDoubled.at(magnitude) : magnitude;
    code = magnitude;
  }
}

uint8_t random_power(Dice& dice, ElementKind element) {
  return element == ElementKind::kE2m1 ? dice.of<uint8_t>({1, 2, 4, 6})
                                       : dice.of<uint8_t>({1, 2, 4});
}

}  // namespace

std::vector<uint8_t> random_codes(Dice& dice, ElementKind element, BlockStyle style, size_t count) {
  std::vector<uint8_t> codes(count, 0);
  const auto common_sign = static_cast<uint8_t>(dice.chance(0.5) ? kSign : 0);
  switch (style) {
    case BlockStyle::kZero:
      break;
    case BlockStyle::kRandom:
      for (uint8_t& code : codes) {
        code = static_cast<uint8_t>(dice.bits() & 0xF);
      }
      break;
    case BlockStyle::kGreatest:
      std::fill(codes.begin(), codes.end(), static_cast<uint8_t>(kGreatestCode | common_sign));
      break;
    case BlockStyle::kMixedGreatest:
      for (uint8_t& code : codes) {
        code = static_cast<uint8_t>(kGreatestCode | (dice.bits() & kSign));
      }
      break;
    case BlockStyle::kPowers:
      codes[static_cast<size_t>(dice.between(0, static_cast<int64_t>(count) - 1))] =
          static_cast<uint8_t>(random_power(dice, element) | common_sign);
      break;
    case BlockStyle::kNearPower:
      fill_near_power(dice, element, codes);
      break;
    case BlockStyle::kConstant:
      std::fill(codes.begin(), codes.end(),
                static_cast<uint8_t>(random_power(dice, element) | common_sign));
      break;
    case BlockStyle::kSparse:
      for (int64_t left = dice.between(1, 3); left > 0; --left) {
        codes[static_cast<size_t>(dice.between(0, static_cast<int64_t>(count) - 1))] =
            static_cast<uint8_t>(dice.bits() & 0xF);
      }
      break;
  }
  return codes;
}

}  // namespace nibblecore::tb
