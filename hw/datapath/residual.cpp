// SPDX-License-Identifier: Apache-2.0
#include "hw/datapath/residual.hpp"

#include "hw/datapath/e8m0_scale.hpp"
#include "hw/datapath/fp32_pack.hpp"
#include "hw/datapath/fp32_subtract.hpp"
#include "hw/datapath/hif4_scale.hpp"
#include "hw/datapath/quantizer_widths.hpp"
#include "model/formats/e2m1.hpp"

namespace nibblecore::hw {
namespace {

/// The FP32 bits of an element: its magnitude as a small integer, times the scale's significand and
/// power of two. The sign comes from the code, so that a zero keeps it.
uint32_t decoded(uint8_t code, int32_t magnitude, const ScaleFactor& scale, int32_t shift) {
  require_width(kElementCode, code);
  if (scale.is_nan) {
    return kQuietNan;
  }
  const int32_t significand = magnitude * scale.significand;
  require_width(kDecodedElement, significand);
  const uint32_t sign = (code & 8) != 0 ? kSignBit : 0;
  return sign | round_fp32(false, static_cast<uint64_t>(significand), scale.exponent + shift);
}

}  // namespace

std::array<uint32_t, 32> residual(const std::array<uint32_t, 32>& values, const Mxfp4Unit& unit) {
  const ScaleFactor scale = e8m0_fields(unit.scale);
  std::array<uint32_t, 32> differences{};
  for (size_t i = 0; i < values.size(); ++i) {
    const uint8_t code = unit.codes[i];
    const auto doubled = static_cast<uint8_t>(kE2m1Doubled[code & 7U]);
    differences[i] = fp32_subtract(values[i], decoded(code, doubled, scale, 0));
  }
  return differences;
}

std::array<uint32_t, 64> residual(const std::array<uint32_t, 64>& values, const Hif4Unit& unit) {
  const ScaleFactor scale = hif4_fields(unit.e6m2);
  std::array<uint32_t, 64> differences{};
  for (size_t i = 0; i < values.size(); ++i) {
    const uint8_t code = unit.codes[i];
    const int32_t quarters = code & 7;
    const int32_t shift = unit.micro_exponent(static_cast<int>(i));
    differences[i] = fp32_subtract(values[i], decoded(code, quarters, scale, shift));
  }
  return differences;
}

}  // namespace nibblecore::hw
