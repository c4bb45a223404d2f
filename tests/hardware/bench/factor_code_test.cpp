// SPDX-License-Identifier: Apache-2.0
#include "tb/bench/factor_code.hpp"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "model/common/error.hpp"

namespace nibblecore::tb {
namespace {

TEST(FactorCode, OfEveryPositiveFiniteFp16Number) {
  for (int code = 1; code < 0x7C00; ++code) {
    const int field = code >> 10;
    const auto fraction = static_cast<float>(code & 0x3FF);
    const float factor =
        field == 0 ? std::ldexp(fraction, -24) : std::ldexp(1024 + fraction, field - 25);
    ASSERT_EQ(factor_code(factor), code) << factor;
  }
}

TEST(FactorCode, OfAnythingElseIsRefused) {
  for (const float factor :
       {0.0F, -0.0F, -1.0F, 65520.0F, 65536.0F, 1.0F + 0x1p-11F, 0x1p-25F, 0x1.8p-24F, 0x1p-149F,
        std::numeric_limits<float>::infinity(), std::numeric_limits<float>::quiet_NaN()}) {
    EXPECT_THROW(factor_code(factor), InputError) << factor;
  }
}

}  // namespace
}  // namespace nibblecore::tb
