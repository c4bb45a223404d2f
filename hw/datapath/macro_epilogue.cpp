// SPDX-License-Identifier: Apache-2.0
#include "hw/datapath/macro_epilogue.hpp"

#include "hw/datapath/width.hpp"

namespace nibblecore::hw {
namespace {

bool is_nan(const Fp32Fields& fields) { return fields.is_special && fields.significand != 0; }

}  // namespace

template <class Hooks>
uint32_t macro_epilogue(MacroEpilogue epilogue, uint32_t sum, const FactorFields& factor,
                        uint32_t accumulator, const FmaTap<Hooks>& tap, uint32_t nan) {
  const uint32_t sign = sum & kSignBit;
  Fp32Fields x = unpack_fp32(sum);
  uint64_t product = uint64_t{x.significand} * factor.significand;
  tap.value(FmaBus::kProduct, product);
  WideAddend scaled{product, x.exponent + factor.exponent, sign};
  if (epilogue == MacroEpilogue::kSeparate && !x.is_special) {
    x = unpack_fp32(sign | round_fp32(sign != 0, scaled.magnitude, scaled.exponent));
    scaled = {x.significand, x.exponent, sign};
  }
  const Fp32Fields y = unpack_fp32(accumulator);
  const uint32_t accumulator_sign = accumulator & kSignBit;
  uint64_t sums = 0;
  uint32_t result = add_wide(scaled, {y.significand, y.exponent, accumulator_sign}, sums, tap);
  require_united_width(kFmaSum, sums);
  if (is_nan(x) || is_nan(y) || (x.is_special && y.is_special && sign != accumulator_sign)) {
    result = nan;
  } else if (x.is_special) {
    result = sign | kInfinityBits;
  } else if (y.is_special) {
    result = accumulator;
  }
  tap.value(FmaBus::kResult, result);
  return result;
}

template uint32_t macro_epilogue(MacroEpilogue, uint32_t, const FactorFields&, uint32_t,
                                 const FmaTap<NoHooks>&, uint32_t);
template uint32_t macro_epilogue(MacroEpilogue, uint32_t, const FactorFields&, uint32_t,
                                 const FmaTap<ProbeHooks>&, uint32_t);

}  // namespace nibblecore::hw
