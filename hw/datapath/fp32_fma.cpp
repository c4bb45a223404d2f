// SPDX-License-Identifier: Apache-2.0
#include "hw/datapath/fp32_fma.hpp"

#include "hw/datapath/width.hpp"

namespace nibblecore::hw {
namespace {

bool is_nan(const Fp32Fields& fields) { return fields.is_special && fields.significand != 0; }
bool is_zero(const Fp32Fields& fields) { return !fields.is_special && fields.significand == 0; }

}  // namespace

template <class Hooks>
uint32_t fp32_fma(uint32_t a, uint32_t b, uint32_t c, const FmaTap<Hooks>& tap) {
  const Fp32Fields x = unpack_fp32(a);
  const Fp32Fields y = unpack_fp32(b);
  const Fp32Fields z = unpack_fp32(c);
  const uint32_t sign = (a ^ b) & kSignBit;
  const uint32_t addend_sign = c & kSignBit;
  uint64_t product = uint64_t{x.significand} * y.significand;
  tap.value(FmaBus::kProduct, product);
  uint64_t sums = 0;
  uint32_t result = add_wide({product, x.exponent + y.exponent, sign},
                             {z.significand, z.exponent, addend_sign}, sums, tap);
  require_united_width(kFmaSum, sums);

  const bool infinite_product = x.is_special || y.is_special;
  const bool opposite_infinities = infinite_product && z.is_special && sign != addend_sign;
  const bool by_zero = infinite_product && (is_zero(x) || is_zero(y));
  if (is_nan(x) || is_nan(y) || is_nan(z) || opposite_infinities || by_zero) {
    result = kQuietNan;
  } else if (infinite_product) {
    result = sign | kInfinityBits;
  } else if (z.is_special) {
    result = c;
  }
  tap.value(FmaBus::kResult, result);
  return result;
}

template uint32_t fp32_fma(uint32_t, uint32_t, uint32_t, const FmaTap<NoHooks>&);
template uint32_t fp32_fma(uint32_t, uint32_t, uint32_t, const FmaTap<ProbeHooks>&);

}  // namespace nibblecore::hw
