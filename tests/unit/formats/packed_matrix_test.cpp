// SPDX-License-Identifier: Apache-2.0
#include "model/formats/packed_matrix.hpp"

#include <limits>
#include <random>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model/common/error.hpp"

namespace nibblecore {
namespace {

struct Layout {
  BlockFormat format;
  int64_t k;
  int64_t blocks;
  int64_t code_stride;
  int64_t scale_stride;
};

TEST(PackedMatrix, TailsFillAWholeBlock) {
  const Layout layouts[] = {{kMxfp4, 32, 1, 16, 1}, {kMxfp4, 33, 2, 32, 2}, {kNvfp4, 1, 1, 8, 1},
                            {kNvfp4, 47, 3, 24, 3}, {kHif4, 64, 1, 32, 4},  {kHif4, 65, 2, 64, 8},
                            {kMxfp4, 0, 0, 0, 0}};
  for (const Layout& layout : layouts) {
    SCOPED_TRACE(testing::Message() << layout.format.name << " " << layout.k);
    const PackedMatrix matrix = make_packed_matrix(layout.format, 3, layout.k);
    EXPECT_EQ(matrix.blocks(), layout.blocks);
    EXPECT_EQ(matrix.code_stride(), layout.code_stride);
    EXPECT_EQ(matrix.scale_stride(), layout.scale_stride);
    EXPECT_EQ(matrix.codes.size(), static_cast<size_t>(3 * layout.code_stride));
    EXPECT_EQ(matrix.scales.size(), static_cast<size_t>(3 * layout.scale_stride));
    EXPECT_EQ(matrix.row_codes(2) - matrix.codes.data(), 2 * layout.code_stride);
    EXPECT_EQ(matrix.row_scales(2) - matrix.scales.data(), 2 * layout.scale_stride);
    EXPECT_THAT(matrix.codes, testing::Each(0));
    EXPECT_THAT(matrix.scales, testing::Each(0));
    EXPECT_EQ(matrix.tensor_scale, 1.0F);
  }
}

TEST(PackedMatrix, RefusesSizesThatOverflowOrAreNegative) {
  const int64_t largest = std::numeric_limits<int64_t>::max();
  EXPECT_THROW(make_packed_matrix(kMxfp4, -1, 32), InputError);
  EXPECT_THROW(make_packed_matrix(kMxfp4, 1, -1), InputError);
  EXPECT_THROW(make_packed_matrix(kMxfp4, 1, largest), InputError);
  EXPECT_THROW(make_packed_matrix(kMxfp4, int64_t{1} << 32, int64_t{1} << 32), InputError);
}

TEST(PackedMatrix, CodesOfARowComeBackAndEvenOnesAreLow) {
  std::mt19937 random(13);
  PackedMatrix matrix = make_packed_matrix(kNvfp4, 2, 31);
  std::vector<uint8_t> codes;
  for (int64_t i = 0; i < 31; ++i) {
    codes.push_back(static_cast<uint8_t>(random() % 16));
    set_packed_code(matrix.row_codes(1), i, codes.back());
  }
  for (int64_t i = 0; i < 31; ++i) {
    EXPECT_EQ(packed_code(matrix.row_codes(1), i), codes[static_cast<size_t>(i)]) << i;
    EXPECT_EQ(packed_code(matrix.row_codes(0), i), 0) << i;
  }
  EXPECT_EQ(packed_code(matrix.row_codes(1), 31), 0);
  EXPECT_EQ(matrix.row_codes(1)[0], codes[0] + 16 * codes[1]);
}

}  // namespace
}  // namespace nibblecore
