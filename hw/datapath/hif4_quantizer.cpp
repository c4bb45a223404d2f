// SPDX-License-Identifier: Apache-2.0
#include "hw/datapath/hif4_quantizer.hpp"

#include <algorithm>

#include "hw/datapath/bf16_multiply.hpp"
#include "hw/datapath/fp32_pack.hpp"
#include "hw/datapath/magnitude_tree.hpp"
#include "hw/datapath/quantizer_widths.hpp"
#include "hw/datapath/sticky_shift.hpp"

namespace nibblecore::hw {
namespace {

constexpr int64_t kUnit = 64;
constexpr int64_t kMicroExponents = kUnit / 8 + kUnit / 4;
constexpr uint16_t kOneSeventh = 0x3E12;
constexpr uint8_t kNanScale = 0xFF;
constexpr int32_t kLargestScale = 0xFE;
constexpr int32_t kBf16Bias = 127;
constexpr int32_t kE6m2Bias = 48;
constexpr uint32_t kTwo = 0x40000000;  // FP32 bits
constexpr uint32_t kLargestQuarters = 7;

uint32_t rounded(uint32_t bits, Precision precision) {
  return precision == Precision::kAsBf16 ? uint32_t{round_to_bf16(bits)} << 16 : bits;
}

/// The unit's inputs as the circuit goes on with them.
struct Inputs {
  std::array<uint32_t, 64> magnitudes{};
  std::array<uint8_t, 64> signs{};  ///< bit 3 of the element
  bool all_finite = true;
};

template <class Hooks>
Inputs take_in(const std::array<uint32_t, 64>& values, const Hif4Rule& rule,
               QuantizerTap<Hooks> tap) {
  Inputs inputs;
  for (size_t i = 0; i < values.size(); ++i) {
    const uint32_t bits = is_non_finite(values[i]) ? values[i] : rounded(values[i], rule.input);
    const bool finite = !is_non_finite(bits);
    inputs.all_finite &= finite;
    inputs.magnitudes[i] = finite ? bits & ~kSignBit : 0;
    tap.at(static_cast<int64_t>(i), kUnit).value(Site::kQuantizerMagnitude, inputs.magnitudes[i]);
    const bool loses_sign = inputs.magnitudes[i] == 0 && rule.zero_sign == ZeroSign::kPositive;
    const bool negative = finite && !loses_sign && (bits & kSignBit) != 0;
    inputs.signs[i] = negative ? 8 : 0;
  }
  return inputs;
}

template <class Hooks, size_t Count>
void tap_all(Site site, QuantizerTap<Hooks> tap, std::array<uint32_t, Count>& values) {
  for (size_t i = 0; i < Count; ++i) {
    tap.at(static_cast<int64_t>(i), static_cast<int64_t>(Count)).value(site, values[i]);
  }
}

}  // namespace

uint8_t hif4_scale_code(uint32_t largest) {
  const uint16_t scale = round_to_bf16(multiply_by_bf16(largest, kOneSeventh));
  const StickyShift upper = shift_right(scale, 5);
  const uint32_t biased = upper.kept + round_increment(upper, Rounding::kNearestEven);
  const int32_t code = static_cast<int32_t>(biased) - ((kBf16Bias - kE6m2Bias) << 2);
  require_width(kE6m2Sum, code);
  return static_cast<uint8_t>(std::clamp(code, 0, kLargestScale));
}

uint16_t hif4_reciprocal(uint8_t code) {
  constexpr std::array<uint32_t, 4> kMantissas{0x00, 0x4D, 0x2B, 0x12};
  const uint32_t mantissa = code & 3;
  const int32_t borrow = mantissa != 0 ? 1 : 0;
  const int32_t field = kBf16Bias + kE6m2Bias - (code >> 2) - borrow;
  return static_cast<uint16_t>((static_cast<uint32_t>(field) << 7) | kMantissas[mantissa]);
}

template <class Hooks>
uint8_t round_to_quarters(uint32_t scaled, int32_t shift, Rounding rounding, Tap<Hooks> tap) {
  // A normal significand has its top bit at 23: shifted by less it is 8 quarters or more.
  constexpr int32_t kLeastShift = 21;
  require_width(kMagnitude, scaled);
  const Fp32Fields fields = unpack_fp32(scaled);
  int32_t distance = shift - 2 - fields.exponent;
  tap.value(Site::kQuantizerShift, distance);
  require_width(kElementShift, distance);
  if (distance < kLeastShift) {
    return kLargestQuarters;
  }
  StickyShift quarters = shift_right(fields.significand, distance);
  tap.value(Site::kQuantizerKept, quarters.kept);
  tap.value(Site::kQuantizerGuard, quarters.guard);
  tap.value(Site::kQuantizerSticky, quarters.sticky);
  require_width(kQuarters, quarters.kept);
  return static_cast<uint8_t>(
      std::min(quarters.kept + round_increment(quarters, rounding), kLargestQuarters));
}

template <class Hooks>
Hif4Unit quantize_hif4_block(const std::array<uint32_t, 64>& values, const Hif4Rule& rule,
                             QuantizerTap<Hooks> tap) {
  const Inputs inputs = take_in(values, rule, tap);
  std::array<uint32_t, 16> largest3 = maximum_of_pairs(maximum_of_pairs(inputs.magnitudes));
  tap_all(Site::kQuantizerMaximum4, tap, largest3);
  std::array<uint32_t, 8> largest2 = maximum_of_pairs(largest3);
  tap_all(Site::kQuantizerMaximum8, tap, largest2);
  uint32_t largest = largest_magnitude(largest2);
  tap.at(0, 1).value(Site::kQuantizerMaximum, largest);
  uint8_t scale = hif4_scale_code(largest);
  tap.at(0, 1).value(Site::kQuantizerScale, scale);
  uint16_t reciprocal = hif4_reciprocal(scale);
  tap.at(0, 1).value(Site::kQuantizerReciprocal, reciprocal);

  uint32_t level2 = 0;
  for (uint32_t group = 0; group < largest2.size(); ++group) {
    uint32_t product = rounded(multiply_by_bf16(largest2[group], reciprocal), rule.micro_product);
    tap.at(group, kMicroExponents).value(Site::kQuantizerMicroProduct, product);
    constexpr uint32_t kFour = kTwo + (1U << 23);
    uint32_t bit = product >= kFour ? 1U : 0U;
    tap.at(group, kUnit / 8).value(Site::kQuantizerLevel2, bit);
    level2 |= bit << group;
  }
  uint32_t level3 = 0;
  for (uint32_t group = 0; group < largest3.size(); ++group) {
    uint32_t product = rounded(multiply_by_bf16(largest3[group], reciprocal), rule.micro_product);
    tap.at(kUnit / 8 + group, kMicroExponents).value(Site::kQuantizerMicroProduct, product);
    // Half the product against 2 is the product against 4: the level-2 bit moves the threshold.
    const uint32_t threshold = kTwo + (((level2 >> (group / 2)) & 1) << 23);
    uint32_t bit = product >= threshold ? 1U : 0U;
    tap.at(group, kUnit / 4).value(Site::kQuantizerLevel3, bit);
    level3 |= bit << group;
  }

  Hif4Unit unit;
  unit.e6m2 = inputs.all_finite ? scale : kNanScale;
  unit.e1_8 = static_cast<uint8_t>(level2);
  unit.e1_16 = static_cast<uint16_t>(level3);
  for (size_t i = 0; i < values.size(); ++i) {
    const auto element = tap.at(static_cast<int64_t>(i), kUnit);
    uint32_t scaled =
        rounded(multiply_by_bf16(inputs.magnitudes[i], reciprocal), rule.scaled_element);
    element.value(Site::kQuantizerScaled, scaled);
    const uint8_t quarters =
        round_to_quarters(scaled, unit.micro_exponent(static_cast<int>(i)), rule.rounding, element);
    unit.codes[i] = static_cast<uint8_t>(inputs.signs[i] | quarters);
    element.value(Site::kQuantizerCode, unit.codes[i]);
  }
  return unit;
}

template uint8_t round_to_quarters(uint32_t, int32_t, Rounding, Tap<NoHooks>);
template uint8_t round_to_quarters(uint32_t, int32_t, Rounding, Tap<ProbeHooks>);
template Hif4Unit quantize_hif4_block(const std::array<uint32_t, 64>&, const Hif4Rule&,
                                      QuantizerTap<NoHooks>);
template Hif4Unit quantize_hif4_block(const std::array<uint32_t, 64>&, const Hif4Rule&,
                                      QuantizerTap<ProbeHooks>);

}  // namespace nibblecore::hw
