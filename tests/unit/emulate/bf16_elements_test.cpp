// SPDX-License-Identifier: Apache-2.0
#include "model/emulate/bf16_elements.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "model/common/bits.hpp"
#include "model/common/error.hpp"
#include "model/formats/e2m1.hpp"

namespace nibblecore {
namespace {

float number_of(uint16_t bits) { return bits_float(static_cast<uint32_t>(bits) << 16); }

TEST(Bf16Elements, AreTheProductsWhereverBf16HoldsAllTwelveTimesTheScale) {
  for (const ScaleKind kind : {ScaleKind::kE8m0, ScaleKind::kUe4m3}) {
    int held = 0;
    for (size_t scale = 0; scale < 256; ++scale) {
      const float number = scale_numbers(kind).at(scale);
      if (number > 0 && !fits_bf16({number, number, false}, {1.0F, 1.0F, false})) {
        continue;
      }
      for (size_t code = 0; code < 16; ++code) {
        SCOPED_TRACE(testing::Message() << "code " << code << " under scale " << scale);
        const float product = number_of(bf16_elements(kind).at(scale).at(code));
        if (std::isnan(number)) {
          EXPECT_TRUE(std::isnan(product));
        } else {
          EXPECT_EQ(product, static_cast<float>(kE2m1Doubled.at(code)) * number);
        }
      }
      ++held;
    }
    EXPECT_GT(held, 230) << scale_name(kind);
  }
}

TEST(Bf16Elements, AreNoneUnderHif4) {
  EXPECT_THROW(bf16_elements(ScaleKind::kHif4), InternalError);
}

/// One row of blocks of 32 with these E8M0 codes; a block whose `has_element` is false is -0.
PackedMatrix row_of(const std::vector<uint8_t>& scales, const std::vector<bool>& has_element) {
  PackedMatrix matrix = make_packed_matrix(kMxfp4, 1, static_cast<int64_t>(32 * scales.size()));
  matrix.scales = scales;
  for (size_t block = 0; block < scales.size(); ++block) {
    const auto first = static_cast<int64_t>(32 * block);
    for (int64_t i = 0; i < 32; ++i) {
      set_packed_code(matrix.codes.data(), first + i, has_element[block] && i == 31 ? 0x1 : 0x8);
    }
  }
  return matrix;
}

TEST(RangeOfElements, LeavesOutExtremeScalesOfZeroBlocksAndNan) {
  const ScaleRange range = range_of_elements(
      row_of({0, 127, 254, 255, 130, 40}, {false, true, false, true, true, false}));
  EXPECT_EQ(range.smallest, 0.5F);  // half of 1: elements are doubled
  EXPECT_EQ(range.largest, 4.0F);
}

TEST(RangeOfElements, TakesInExtremeScalesOfOtherBlocks) {
  const ScaleRange range = range_of_elements(row_of({0, 127, 254}, {true, true, true}));
  EXPECT_EQ(range.smallest, 0x1p-128F);
  EXPECT_EQ(range.largest, 0x1p126F);
}

TEST(RangeOfElements, IsEmptyWithoutElements) {
  EXPECT_TRUE(range_of_elements(row_of({0, 254}, {false, false})).is_empty);
  EXPECT_TRUE(range_of_elements(make_packed_matrix(kMxfp4, 0, 64)).is_empty);
}

TEST(FitsBf16, UntilAnElementOrAProductWouldLeaveIt) {
  const auto fits = [](float a_smallest, float a_largest, float b_smallest, float b_largest) {
    return fits_bf16({a_smallest, a_largest, false}, {b_smallest, b_largest, false}) &&
           fits_bf16({b_smallest, b_largest, false}, {a_smallest, a_largest, false});
  };
  EXPECT_TRUE(fits(0x1p-126F, 0x1p124F, 1.0F, 0x1p-12F));
  EXPECT_FALSE(fits(0x1p-127F, 1.0F, 4.0F, 4.0F));
  EXPECT_FALSE(fits(1.0F, 0x1p125F, 0x1p-20F, 0x1p-20F));
  EXPECT_TRUE(fits(0x1p-63F, 1.0F, 0x1p-63F, 1.0F));
  EXPECT_FALSE(fits(0x1p-63F, 1.0F, 0x1p-64F, 1.0F));
  EXPECT_TRUE(fits(1.0F, 0x1p56F, 1.0F, 0x1p56F));
  EXPECT_FALSE(fits(1.0F, 0x1p56F, 1.0F, 0x1p57F));
}

}  // namespace
}  // namespace nibblecore
