// SPDX-License-Identifier: Apache-2.0
#include "model/quantize/squared_norm.hpp"

#include <cmath>
#include <limits>
#include <random>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/random_matrix.hpp"

namespace nibblecore {
namespace {

using boost::multiprecision::cpp_int;

SquaredNorm norm_of(ScaleKind scale, uint8_t code, uint64_t squares) {
  SquaredNormSum sum(scale);
  sum.add(code, squares);
  return sum.total();
}

TEST(SquaredNorm, SquaresOfE2m1AreThoseOfTheDoubledElements) {
  PackedMatrix matrix = make_packed_matrix(kNvfp4, 2, 32);
  for (int64_t i = 0; i < 16; ++i) {
    set_packed_code(matrix.row_codes(1), 16 + i, static_cast<uint8_t>(i));
  }
  uint16_t squares[16];
  block_squares(matrix, 1, 1, squares);
  EXPECT_THAT(squares, testing::ElementsAre(0, 1, 4, 9, 16, 36, 64, 144,  //
                                            0, 1, 4, 9, 16, 36, 64, 144));
}

TEST(SquaredNorm, SquaresOfHif4HoldTheMicroExponents) {
  PackedMatrix matrix = make_packed_matrix(kHif4, 1, 128);
  for (int64_t i = 64; i < 128; ++i) {
    set_packed_code(matrix.row_codes(0), i, i % 2 == 0 ? 0x7 : 0xB);
  }
  matrix.scales = {0, 0, 0, 0, 0xC0, 0x02, 0x09, 0x80};  // level 2: group 1; level 3: 0, 3 and 15
  uint16_t squares[64];
  block_squares(matrix, 0, 1, squares);
  for (int i = 0; i < 64; ++i) {
    const int exponent = (i / 8 == 1 ? 1 : 0) + (i / 4 == 0 || i / 4 == 3 || i / 4 == 15 ? 1 : 0);
    const int integer = (i % 2 == 0 ? 7 : 3) << exponent;
    EXPECT_EQ(squares[i], integer * integer) << i;
  }
}

TEST(SquaredNorm, ScalesAreSquared) {
  EXPECT_EQ(norm_of(ScaleKind::kE8m0, 0, 5).sum, 5);
  EXPECT_EQ(norm_of(ScaleKind::kE8m0, 3, 5).sum, 5 * 64);
  EXPECT_EQ(norm_of(ScaleKind::kE8m0, 254, 5).sum, cpp_int(5) << 508);
  EXPECT_EQ(norm_of(ScaleKind::kUe4m3, 0x00, 5).sum, 0);
  EXPECT_EQ(norm_of(ScaleKind::kUe4m3, 0x07, 5).sum, 5 * 49);
  EXPECT_EQ(norm_of(ScaleKind::kUe4m3, 0x0F, 5).sum, 5 * 225);
  EXPECT_EQ(norm_of(ScaleKind::kUe4m3, 0x17, 5).sum, 5 * 225 * 4);
  EXPECT_EQ(norm_of(ScaleKind::kUe4m3, 0x97, 5).sum, 5 * 225 * 4);  // bit 7 is ignored
  EXPECT_EQ(norm_of(ScaleKind::kHif4, 0x03, 5).sum, 5 * 49);
  EXPECT_EQ(norm_of(ScaleKind::kHif4, 0xFE, 5).sum, (cpp_int(5) * 36) << 126);
}

TEST(SquaredNorm, SumsAreExact) {
  SquaredNormSum sum(ScaleKind::kE8m0);
  sum.add(254, std::numeric_limits<uint32_t>::max());
  sum.add(0, 1);
  sum.add(0, 2);
  sum.add(127, 1);
  EXPECT_EQ(sum.total().sum,
            (cpp_int(std::numeric_limits<uint32_t>::max()) << 508) + (cpp_int(1) << 254) + 3);
}

TEST(SquaredNorm, NanScaleMakesItNanOverZerosToo) {
  EXPECT_TRUE(norm_of(ScaleKind::kE8m0, 255, 0).is_nan);
  EXPECT_TRUE(norm_of(ScaleKind::kUe4m3, 0x7F, 0).is_nan);
  EXPECT_TRUE(norm_of(ScaleKind::kUe4m3, 0xFF, 4).is_nan);
  EXPECT_TRUE(norm_of(ScaleKind::kHif4, 255, 3).is_nan);
  EXPECT_FALSE(norm_of(ScaleKind::kE8m0, 254, 3).is_nan);
  EXPECT_FALSE(norm_of(ScaleKind::kUe4m3, 0x7E, 3).is_nan);
  EXPECT_FALSE(SquaredNormSum(ScaleKind::kHif4).total().is_nan);
}

TEST(SquaredNorm, Order) {
  const SquaredNorm nan{true, 0};
  const SquaredNorm another_nan{true, 9};
  const SquaredNorm zero{false, 0};
  const SquaredNorm five{false, 5};
  EXPECT_TRUE(is_larger(five, zero));
  EXPECT_FALSE(is_larger(zero, five));
  EXPECT_FALSE(is_larger(five, five));
  EXPECT_TRUE(is_larger(nan, five));
  EXPECT_FALSE(is_larger(five, nan));
  EXPECT_FALSE(is_larger(another_nan, nan));
  EXPECT_FALSE(is_larger(nan, another_nan));
}

}  // namespace
}  // namespace nibblecore
