// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include <boost/multiprecision/cpp_int.hpp>

namespace nibblecore {

/// A real number as an integer times 2^-480; a sum that leaves 1024 bits throws.
using FixedPoint = boost::multiprecision::checked_int1024_t;

/// significand * 2^exponent, exponent >= -480.
FixedPoint fixed_point(int64_t significand, int exponent);

/// A finite FP64 number that is 0 or at least 2^-300 in magnitude.
FixedPoint fixed_point(double value);

/// The FP32 number nearest to `value`, by the definition of rounding: both neighbours are found by
/// search over all bit patterns and their distances compared; a tie goes to the even pattern;
/// infinity stands where 2^128 would. Exact zero is +0.
uint32_t nearest_fp32(const FixedPoint& value);

/// The FP32 number of the largest magnitude that does not exceed that of `value`, and its sign:
/// infinity from 2^128 up, -0 above -2^-149. Exact zero is +0.
uint32_t toward_zero_fp32(const FixedPoint& value);

/// The value of a finite FP32 number.
FixedPoint fp32_value(uint32_t bits);

}  // namespace nibblecore
