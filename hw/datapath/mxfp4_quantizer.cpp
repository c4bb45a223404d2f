// SPDX-License-Identifier: Apache-2.0
#include "hw/datapath/mxfp4_quantizer.hpp"

#include <algorithm>

#include "hw/datapath/e2m1_rounder.hpp"
#include "hw/datapath/fp32_pack.hpp"
#include "hw/datapath/magnitude_tree.hpp"
#include "hw/datapath/quantizer_widths.hpp"

namespace nibblecore::hw {
namespace {

constexpr uint8_t kNanScale = 0xFF;
constexpr int32_t kLargestElementExponent = 2;  // of 4 and 6

/// Carry into the exponent: one comparator of the 23-bit fraction a rule.
int32_t scale_increment(uint32_t fraction, ScaleRule rule) {
  constexpr uint32_t kOneAndAHalf = 0x400000;
  constexpr uint32_t kOneAndThreeQuarters = 0x600000;
  bool carry = false;
  switch (rule) {
    case ScaleRule::kFloor:
    case ScaleRule::kFourThirds:  // no circuits of the last three: quantizer_job refuses them
    case ScaleRule::kBestPowerOfTwo:
    case ScaleRule::kIdeal:
      break;
    case ScaleRule::kCeil:
      carry = fraction != 0;
      break;
    case ScaleRule::kEven:
      carry = fraction >= kOneAndThreeQuarters;
      break;
    case ScaleRule::kRceil:
      carry = fraction > kOneAndAHalf;
      break;
    case ScaleRule::kOas:
      carry = fraction > kOneAndThreeQuarters;
      break;
  }
  return carry ? 1 : 0;
}

}  // namespace

uint8_t mxfp4_scale_code(uint32_t largest, ScaleRule rule) {
  require_width(kMagnitude, largest);
  const auto field = static_cast<int32_t>(largest >> 23);
  if (field == 0xFF) {
    return kNanScale;
  }
  if (field == 0) {
    return 0;
  }
  const int32_t code = field - kLargestElementExponent + scale_increment(largest & 0x7FFFFF, rule);
  require_width(kScaleCode, code);
  return static_cast<uint8_t>(std::max(code, 0));
}

template <class Hooks>
Mxfp4Unit quantize_mxfp4_block(const std::array<uint32_t, 32>& values, const Mxfp4Rule& rule,
                               QuantizerTap<Hooks> tap) {
  constexpr int64_t kBlock = 32;
  std::array<uint32_t, 32> magnitudes{};
  for (size_t i = 0; i < values.size(); ++i) {
    magnitudes[i] = values[i] & ~kSignBit;
    tap.at(static_cast<int64_t>(i), kBlock).value(Site::kQuantizerMagnitude, magnitudes[i]);
  }
  uint32_t largest = largest_magnitude(magnitudes);
  tap.at(0, 1).value(Site::kQuantizerMaximum, largest);
  Mxfp4Unit unit;
  unit.scale = mxfp4_scale_code(largest, rule.scale);
  tap.at(0, 1).value(Site::kQuantizerScale, unit.scale);
  for (size_t i = 0; i < values.size(); ++i) {
    const auto element = tap.at(static_cast<int64_t>(i), kBlock);
    unit.codes[i] = unit.scale == kNanScale
                        ? rule.code_under_nan
                        : round_to_e2m1(values[i], unit.scale, rule.rounding, element);
    element.value(Site::kQuantizerCode, unit.codes[i]);
  }
  return unit;
}

template Mxfp4Unit quantize_mxfp4_block(const std::array<uint32_t, 32>&, const Mxfp4Rule&,
                                        QuantizerTap<NoHooks>);
template Mxfp4Unit quantize_mxfp4_block(const std::array<uint32_t, 32>&, const Mxfp4Rule&,
                                        QuantizerTap<ProbeHooks>);

}  // namespace nibblecore::hw
