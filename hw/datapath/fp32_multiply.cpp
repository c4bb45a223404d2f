// SPDX-License-Identifier: Apache-2.0
#include "hw/datapath/fp32_multiply.hpp"

#include "hw/datapath/fp32_pack.hpp"

namespace nibblecore::hw {

uint32_t fp32_multiply(uint32_t a, uint32_t b, uint32_t nan) {
  const Fp32Fields x = unpack_fp32(a);
  const Fp32Fields y = unpack_fp32(b);
  const uint32_t sign = (a ^ b) & kSignBit;
  const bool is_nan = (x.is_special && x.significand != 0) || (y.is_special && y.significand != 0);
  if (is_nan) {
    return nan;
  }
  if (x.is_special || y.is_special) {
    const bool by_zero =
        (!x.is_special && x.significand == 0) || (!y.is_special && y.significand == 0);
    return by_zero ? nan : sign | kInfinityBits;
  }
  const uint64_t product = uint64_t{x.significand} * y.significand;
  return sign | round_fp32(sign != 0, product, x.exponent + y.exponent);
}

}  // namespace nibblecore::hw
