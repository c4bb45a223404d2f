// SPDX-License-Identifier: Apache-2.0
#include "model/formats/fp32.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "model/common/bits.hpp"

namespace nibblecore {
namespace {

TEST(Fp32, ClassesAreThoseOfTheHost) {
  for (const uint32_t magnitude :
       {0x00000000U, 0x00000001U, 0x007FFFFFU, 0x00800000U, 0x3F800000U, kFp32LargestFinite,
        kFp32Infinity, 0x7F800001U, kFp32Nan, 0x7FFFFFFFU}) {
    for (const uint32_t sign : {0U, kFp32SignBit}) {
      const uint32_t bits = sign | magnitude;
      const float value = bits_float(bits);
      EXPECT_EQ(fp32_is_nan(bits), std::isnan(value)) << std::hex << bits;
      EXPECT_EQ(fp32_is_infinite(bits), std::isinf(value)) << std::hex << bits;
      EXPECT_EQ(fp32_is_finite(bits), std::isfinite(value)) << std::hex << bits;
      if (!std::isnan(value)) {
        EXPECT_EQ(float_bits(static_cast<float>(decode_double(kFp32Format, bits))), bits);
      }
    }
  }
}

}  // namespace
}  // namespace nibblecore
