// SPDX-License-Identifier: Apache-2.0
#include "hw/datapath/residual.hpp"

#include "hw/datapath/e8m0_scale.hpp"
#include "hw/datapath/fp32_multiply.hpp"
#include "hw/datapath/fp32_pack.hpp"
#include "hw/datapath/fp32_subtract.hpp"
#include "hw/datapath/hif4_scale.hpp"
#include "hw/datapath/magnitude_tree.hpp"
#include "hw/datapath/quantizer_widths.hpp"
#include "hw/datapath/ue4m3_scale.hpp"
#include "model/formats/e2m1.hpp"

namespace nibblecore::hw {
namespace {

/// The FP32 bits of an element: its magnitude as a small integer, times the scale's significand (a
/// product on `product`) and power of two. The sign comes from the code, so that a zero keeps it.
uint32_t decoded(uint8_t code, int32_t magnitude, const ScaleFactor& scale, int32_t shift,
                 const Bus& product) {
  require_width(kElementCode, code);
  if (scale.is_nan) {
    return kQuietNan;
  }
  const int32_t significand = magnitude * scale.significand;
  require_width(product, significand);
  const uint32_t sign = (code & 8) != 0 ? kSignBit : 0;
  return sign | round_fp32(false, static_cast<uint64_t>(significand), scale.exponent + shift);
}

int32_t doubled_e2m1(uint8_t code) { return kE2m1Doubled[code & 7U]; }

/// At number `i` of a block's elements.
template <class Hooks, size_t Block>
Tap<Hooks> element_tap(QuantizerTap<Hooks> tap, size_t i,
                       const std::array<uint32_t, Block>& /*of*/) {
  return tap.residual_stage(static_cast<int64_t>(i), static_cast<int64_t>(Block));
}

}  // namespace

template <class Hooks>
std::array<uint32_t, 32> residual(const std::array<uint32_t, 32>& values, const Mxfp4Unit& unit,
                                  QuantizerTap<Hooks> tap) {
  const ScaleFactor scale = e8m0_fields(unit.scale);
  std::array<uint32_t, 32> differences{};
  for (size_t i = 0; i < values.size(); ++i) {
    const uint8_t code = unit.codes[i];
    const auto place = element_tap(tap, i, values);
    uint32_t element = decoded(code, doubled_e2m1(code), scale, 0, kDecodedElement);
    place.value(Site::kDecoded, element);
    differences[i] = fp32_subtract(values[i], element);
    place.value(Site::kDifference, differences[i]);
  }
  return differences;
}

template <class Hooks>
std::array<uint32_t, 64> residual(const std::array<uint32_t, 64>& values, const Hif4Unit& unit,
                                  QuantizerTap<Hooks> tap) {
  const ScaleFactor scale = hif4_fields(unit.e6m2);
  std::array<uint32_t, 64> differences{};
  for (size_t i = 0; i < values.size(); ++i) {
    const uint8_t code = unit.codes[i];
    const int32_t quarters = code & 7;
    const int32_t shift = unit.micro_exponent(static_cast<int>(i));
    const auto place = element_tap(tap, i, values);
    uint32_t element = decoded(code, quarters, scale, shift, kDecodedElement);
    place.value(Site::kDecoded, element);
    differences[i] = fp32_subtract(values[i], element);
    place.value(Site::kDifference, differences[i]);
  }
  return differences;
}

template <class Hooks>
std::array<uint32_t, 16> residual(const std::array<uint32_t, 16>& values, const Nvfp4Unit& unit,
                                  uint32_t decode, QuantizerTap<Hooks> tap) {
  const ScaleFactor scale = ue4m3_fields(unit.scale);
  std::array<uint32_t, 16> differences{};
  for (size_t i = 0; i < values.size(); ++i) {
    const uint8_t code = unit.codes[i];
    const auto place = element_tap(tap, i, values);
    uint32_t element = decoded(code, doubled_e2m1(code), scale, 0, kDecodedNvfp4);
    place.value(Site::kDecoded, element);
    const uint32_t difference = fp32_subtract(values[i], fp32_multiply(element, decode));
    differences[i] = is_non_finite(difference) ? kQuietNan : difference;
    place.value(Site::kDifference, differences[i]);
  }
  return differences;
}

template std::array<uint32_t, 32> residual(const std::array<uint32_t, 32>&, const Mxfp4Unit&,
                                           QuantizerTap<NoHooks>);
template std::array<uint32_t, 32> residual(const std::array<uint32_t, 32>&, const Mxfp4Unit&,
                                           QuantizerTap<ProbeHooks>);
template std::array<uint32_t, 64> residual(const std::array<uint32_t, 64>&, const Hif4Unit&,
                                           QuantizerTap<NoHooks>);
template std::array<uint32_t, 64> residual(const std::array<uint32_t, 64>&, const Hif4Unit&,
                                           QuantizerTap<ProbeHooks>);
template std::array<uint32_t, 16> residual(const std::array<uint32_t, 16>&, const Nvfp4Unit&,
                                           uint32_t, QuantizerTap<NoHooks>);
template std::array<uint32_t, 16> residual(const std::array<uint32_t, 16>&, const Nvfp4Unit&,
                                           uint32_t, QuantizerTap<ProbeHooks>);

}  // namespace nibblecore::hw
