// SPDX-License-Identifier: Apache-2.0
#include "model/reference/multiply_add.hpp"

#include "model/formats/fp32.hpp"
#include "model/reference/exact_sum.hpp"

namespace nibblecore {
namespace {

bool is_zero(uint32_t bits) { return (bits & ~kFp32SignBit) == 0; }

}  // namespace

uint32_t multiply_add_fp32(uint32_t a, uint32_t b, uint32_t c) {
  const bool infinite_product = fp32_is_infinite(a) || fp32_is_infinite(b);
  const bool zero_product = is_zero(a) || is_zero(b);
  if (fp32_is_nan(a) || fp32_is_nan(b) || fp32_is_nan(c) || (infinite_product && zero_product)) {
    return kFp32Nan;
  }
  const uint32_t product_sign = (a ^ b) & kFp32SignBit;
  if (infinite_product) {
    const uint32_t product = product_sign | kFp32Infinity;
    return fp32_is_infinite(c) && c != product ? kFp32Nan : product;
  }
  if (fp32_is_infinite(c)) {
    return c;
  }
  if (zero_product && is_zero(c)) {
    return product_sign & c;
  }
  const ExactTerm x = exact_term(a);
  const ExactTerm y = exact_term(b);
  const ExactTerm terms[] = {{x.significand * y.significand, x.exponent + y.exponent},
                             exact_term(c)};
  return round_sum(terms, 2);
}

}  // namespace nibblecore
