// SPDX-License-Identifier: Apache-2.0
#include "hw/datapath/nvfp4_quantizer.hpp"

#include <algorithm>

#include "hw/datapath/e2m1_rounder.hpp"
#include "hw/datapath/fp32_divide.hpp"
#include "hw/datapath/fp32_multiply.hpp"
#include "hw/datapath/fp32_pack.hpp"
#include "hw/datapath/magnitude_tree.hpp"
#include "hw/datapath/quantizer_widths.hpp"
#include "hw/datapath/sticky_shift.hpp"
#include "hw/datapath/ue4m3_scale.hpp"
#include "model/formats/fp32.hpp"
#include "model/formats/ue4m3.hpp"

namespace nibblecore::hw {
namespace {

// FP32 bits.
constexpr uint32_t kOne = 0x3F800000;
constexpr uint32_t kOneSixth = 0x3E2AAAAB;
constexpr uint32_t kSix = 0x40C00000;
constexpr uint32_t kLargestScale = 0x43E00000;  // 448

constexpr uint8_t kUnitE8m0 = 127;  // a power-of-two scale of 1

/// A UE4M3 scale as FP32 bits: every one is an FP32 number.
uint32_t scale_as_fp32(uint8_t code) {
  const ScaleFactor scale = ue4m3_fields(code);
  // The fields are those over doubled elements.
  return scale.is_nan
             ? kQuietNan
             : round_fp32(false, static_cast<uint64_t>(scale.significand), scale.exponent + 1);
}

}  // namespace

uint8_t round_to_ue4m3(uint32_t bits) {
  // The last kept bit of 4 counts 2^-9 up to the first normal binade, whose FP32 significand's last
  // bit counts 2^-29.
  constexpr int32_t kDroppedBits = 20;
  constexpr int32_t kFirstNormal = -29;
  require_width(kMagnitude, bits);
  if (fp32_is_nan(bits)) {
    return kUe4m3Nan;
  }
  const Fp32Fields fields = unpack_fp32(std::min(bits, kLargestScale));
  const int32_t binade = fields.exponent - kFirstNormal;
  const int32_t distance = kDroppedBits - std::min(binade, 0);
  require_width(kElementShift, distance);
  const StickyShift steps = shift_right(fields.significand, distance);
  require_width(kUe4m3Steps, steps.kept);
  // Eight codes a binade; the hidden bit of the steps and the increment add to the exponent field.
  const auto first_code = static_cast<uint32_t>(8 * std::max(binade, 0));
  const uint32_t code = first_code + steps.kept + round_increment(steps, Rounding::kNearestEven);
  require_width(kUe4m3Code, code);
  return static_cast<uint8_t>(code);
}

uint32_t nvfp4_element_factor(uint8_t scale, uint32_t decode) {
  const uint32_t step = fp32_multiply(scale_as_fp32(scale), decode);
  const uint32_t factor = fp32_divide(kOne, step);
  return factor == kInfinityBits ? kFp32LargestFinite : factor;
}

template <class Hooks>
uint8_t round_to_nvfp4_element(uint32_t scaled, Tap<Hooks> tap) {
  const uint32_t magnitude = scaled & ~kSignBit;
  if (magnitude == 0 || fp32_is_nan(scaled)) {
    return 0;
  }
  const uint32_t held = (scaled & kSignBit) | std::min(magnitude, kSix);
  return round_to_e2m1(held, kUnitE8m0, Rounding::kNearestEven, tap);
}

template <class Hooks>
Nvfp4Unit quantize_nvfp4_block(const std::array<uint32_t, 16>& values, const Nvfp4Factors& factors,
                               QuantizerTap<Hooks> tap) {
  constexpr int64_t kBlock = 16;
  std::array<uint32_t, 16> magnitudes{};
  for (size_t i = 0; i < values.size(); ++i) {
    magnitudes[i] = values[i] & ~kSignBit;
    tap.at(static_cast<int64_t>(i), kBlock).value(Site::kQuantizerMagnitude, magnitudes[i]);
  }
  uint32_t largest = largest_magnitude(magnitudes);
  tap.at(0, 1).value(Site::kQuantizerMaximum, largest);
  const uint32_t scale_factor = fp32_multiply(factors.encode, kOneSixth);
  Nvfp4Unit unit;
  unit.scale = round_to_ue4m3(fp32_multiply(largest, scale_factor));
  tap.at(0, 1).value(Site::kQuantizerScale, unit.scale);
  const uint32_t element_factor = nvfp4_element_factor(unit.scale, factors.decode);
  for (size_t i = 0; i < values.size(); ++i) {
    const auto element = tap.at(static_cast<int64_t>(i), kBlock);
    uint32_t scaled = fp32_multiply(values[i], element_factor);
    element.value(Site::kQuantizerScaled, scaled);
    unit.codes[i] = round_to_nvfp4_element(scaled, element);
    element.value(Site::kQuantizerCode, unit.codes[i]);
  }
  return unit;
}

template uint8_t round_to_nvfp4_element(uint32_t, Tap<NoHooks>);
template uint8_t round_to_nvfp4_element(uint32_t, Tap<ProbeHooks>);
template Nvfp4Unit quantize_nvfp4_block(const std::array<uint32_t, 16>&, const Nvfp4Factors&,
                                        QuantizerTap<NoHooks>);
template Nvfp4Unit quantize_nvfp4_block(const std::array<uint32_t, 16>&, const Nvfp4Factors&,
                                        QuantizerTap<ProbeHooks>);

}  // namespace nibblecore::hw
