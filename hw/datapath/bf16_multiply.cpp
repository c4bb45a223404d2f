// SPDX-License-Identifier: Apache-2.0
#include "hw/datapath/bf16_multiply.hpp"

#include "hw/datapath/fp32_pack.hpp"
#include "hw/datapath/quantizer_widths.hpp"
#include "hw/datapath/sticky_shift.hpp"

namespace nibblecore::hw {
namespace {

constexpr int32_t kBf16FractionBits = 7;
constexpr int32_t kBf16Bias = 127;

}  // namespace

uint32_t multiply_by_bf16(uint32_t magnitude, uint16_t factor) {
  require_width(kMagnitude, magnitude);
  const Fp32Fields x = unpack_fp32(magnitude);
  const uint32_t significand = 0x80U | (factor & 0x7FU);
  const int32_t exponent = (factor >> kBf16FractionBits) - kBf16Bias - kBf16FractionBits;
  require_width(kSignificand, x.significand);
  require_width(kBf16Significand, significand);
  const uint64_t product = uint64_t{x.significand} * significand;
  require_width(kBf16Product, static_cast<int64_t>(product));
  return round_fp32(false, product, x.exponent + exponent);
}

uint16_t round_to_bf16(uint32_t bits) {
  const StickyShift upper = shift_right(bits, 16);
  return static_cast<uint16_t>(upper.kept + round_increment(upper, Rounding::kNearestEven));
}

}  // namespace nibblecore::hw
