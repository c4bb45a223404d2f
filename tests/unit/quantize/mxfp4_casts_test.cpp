// SPDX-License-Identifier: Apache-2.0
// Raw casts of FP32 to E2M1 and E8M0, without a block scale, against those of ml_dtypes.
#include <cmath>
#include <iostream>
#include <vector>

#include <gtest/gtest.h>

#include "model/common/bits.hpp"
#include "model/formats/e2m1.hpp"
#include "model/formats/e8m0.hpp"
#include "model/formats/fp32.hpp"
#include "model/formats/rounding.hpp"
#include "tests/unit/quantize/vectors.hpp"

namespace nibblecore {
namespace {

/// Nearest even, saturating; the peer makes -0 of a NaN and +0 of a negative one.
uint8_t e2m1_cast(uint32_t bits) {
  const bool negative = (bits & kFp32SignBit) != 0;
  if (fp32_is_nan(bits)) {
    return negative ? 0 : 8;
  }
  const uint32_t magnitude =
      fp32_is_infinite(bits)
          ? kE2m1Format.largest_code()
          : round_magnitude(kE2m1Format, unrounded(std::fabs(double{bits_float(bits)})),
                            Rounding::kNearestEven, Overflow::kSaturate);
  return static_cast<uint8_t>(magnitude | (negative ? 8 : 0));
}

/// Nearest, ties up; subnormals above 2^-127 go up to 2^-126. NaN for what is not positive or would
/// round to 2^128.
uint8_t e8m0_cast(uint32_t bits) {
  if (bits == 0 || bits >= 0x7F400000) {
    return kE8m0Nan;
  }
  if (bits < 0x00800000) {
    return bits > 0x00400000 ? 1 : 0;
  }
  return static_cast<uint8_t>(round_magnitude(kE8m0Format, unrounded(double{bits_float(bits)}),
                                              Rounding::kNearestAway, Overflow::kSaturate));
}

TEST(ElementCasts, EqualThoseOfMlDtypes) {
  const auto x = vector_tensor<uint32_t>("mxfp4/inputs", "x");
  const auto e2m1 = vector_tensor<uint8_t>("mxfp4/element_casts", "e2m1");
  const auto e8m0 = vector_tensor<uint8_t>("mxfp4/element_casts", "e8m0");
  ASSERT_EQ(e2m1.size(), x.size());
  ASSERT_EQ(e8m0.size(), x.size());
  int mismatching = 0;
  for (size_t i = 0; i < x.size(); ++i) {
    mismatching += e2m1_cast(x[i]) == e2m1[i] && e8m0_cast(x[i]) == e8m0[i] ? 0 : 1;
  }
  std::cout << "element_casts: compared " << x.size() << " elements, " << mismatching
            << " mismatching\n";
  EXPECT_EQ(x.size(), 86816U);
  EXPECT_EQ(mismatching, 0);
}

}  // namespace
}  // namespace nibblecore
