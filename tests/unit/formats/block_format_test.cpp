// SPDX-License-Identifier: Apache-2.0
#include "model/formats/block_format.hpp"

#include <gtest/gtest.h>

#include "model/common/error.hpp"

namespace nibblecore {
namespace {

TEST(BlockFormat, NamedFormatsHaveTheirPublishedSizes) {
  EXPECT_EQ(block_format("mxfp4").block_bits(), 136);
  EXPECT_EQ(block_format("nvfp4").block_bits(), 72);
  EXPECT_EQ(block_format("hif4").block_bits(), 288);
  EXPECT_EQ(block_format("hif4").scale_bytes(), 4);
  EXPECT_EQ(block_format("mxfp4").scale, ScaleKind::kE8m0);
  EXPECT_EQ(block_format("nvfp4").scale, ScaleKind::kUe4m3);
  for (const BlockFormat& format : kBlockFormats) {
    EXPECT_EQ(block_format(format.name).name, format.name);
  }
}

TEST(BlockFormat, UnknownNamesAreErrors) {
  for (const char* const name : {"", "MXFP4", "mxfp8", "hif4 "}) {
    EXPECT_THROW(block_format(name), InputError) << name;
  }
  EXPECT_THROW(make_block_format("mxfp4", 32, "e8m0"), InputError);
  EXPECT_THROW(make_block_format("int4", 32, "ue8m0"), InputError);
}

TEST(BlockFormat, ScaleNamesGoBothWays) {
  EXPECT_EQ(scale_name(ScaleKind::kE8m0), "ue8m0");
  EXPECT_EQ(scale_name(ScaleKind::kUe4m3), "ue4m3");
  EXPECT_EQ(scale_name(ScaleKind::kHif4), "hif4");
}

TEST(BlockFormat, E2m1TakesBothByteScalesAtThreeLengths) {
  for (const char* const name : {"mxfp4", "nvfp4"}) {
    for (const int block : {16, 32, 64}) {
      const BlockFormat e8m0 = make_block_format(name, block, "ue8m0");
      EXPECT_EQ(e8m0.element, ElementKind::kE2m1);
      EXPECT_EQ(e8m0.scale, ScaleKind::kE8m0);
      EXPECT_EQ(e8m0.block, block);
      EXPECT_EQ(make_block_format(name, block, "ue4m3").scale, ScaleKind::kUe4m3);
    }
    for (const int block : {-32, 0, 1, 8, 48, 128}) {
      EXPECT_THROW(make_block_format(name, block, "ue8m0"), InputError) << block;
    }
    EXPECT_THROW(make_block_format(name, 64, "hif4"), InputError);
  }
}

TEST(BlockFormat, Hif4IsOneWhole) {
  const BlockFormat format = make_block_format("hif4", 64, "hif4");
  EXPECT_EQ(format.element, ElementKind::kS1p2);
  EXPECT_EQ(format.block, 64);
  EXPECT_THROW(make_block_format("hif4", 32, "hif4"), InputError);
  EXPECT_THROW(make_block_format("hif4", 64, "ue8m0"), InputError);
}

}  // namespace
}  // namespace nibblecore
