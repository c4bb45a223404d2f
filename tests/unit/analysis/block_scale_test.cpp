// SPDX-License-Identifier: Apache-2.0
#include "model/analysis/block_scale.hpp"

#include <cmath>

#include <gtest/gtest.h>

namespace nibblecore {
namespace {

TEST(BlockScale, Mxfp4) {
  PackedMatrix packed = make_packed_matrix(kMxfp4, 2, 64);
  packed.row_scales(1)[1] = 130;
  const BlockScale scale = block_scale(packed, 1, 1);
  EXPECT_EQ(scale.scale, 8);
  EXPECT_EQ(scale.limits[0], 48);
  EXPECT_EQ(scale.limits[31], 48);
  packed.row_scales(1)[1] = 0xFF;
  EXPECT_TRUE(std::isnan(block_scale(packed, 1, 1).scale));
}

TEST(BlockScale, Nvfp4HoldsTheTensorScale) {
  PackedMatrix packed = make_packed_matrix(kNvfp4, 1, 16);
  packed.row_scales(0)[0] = 0x39;  // 1.125
  packed.tensor_scale = 0.1F;
  const BlockScale scale = block_scale(packed, 0, 0);
  EXPECT_EQ(scale.scale, 1.125 * double{0.1F});
  EXPECT_EQ(scale.limits[15], 6 * (1.125 * double{0.1F}));
}

TEST(BlockScale, Hif4LimitsFollowTheMicroExponents) {
  PackedMatrix packed = make_packed_matrix(kHif4, 1, 64);
  uint8_t* const bytes = packed.row_scales(0);
  bytes[0] = 0xC1;  // 1.25
  bytes[1] = 0x02;  // level 2 of elements 8 to 15
  bytes[2] = 0x04;  // level 3 of elements 8 to 11
  bytes[3] = 0x80;  // level 3 of elements 60 to 63
  const BlockScale scale = block_scale(packed, 0, 0);
  EXPECT_EQ(scale.scale, 1.25);
  EXPECT_EQ(scale.limits[7], 1.25 * 1.75);
  EXPECT_EQ(scale.limits[8], 1.25 * 7);
  EXPECT_EQ(scale.limits[12], 1.25 * 3.5);
  EXPECT_EQ(scale.limits[59], 1.25 * 1.75);
  EXPECT_EQ(scale.limits[60], 1.25 * 3.5);
}

}  // namespace
}  // namespace nibblecore
