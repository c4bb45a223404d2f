// SPDX-License-Identifier: Apache-2.0
#include "tb/sweep/storage.hpp"

#include <gtest/gtest.h>

namespace nibblecore::tb {
namespace {

TEST(BlockBits, CountWholeBlocksAndATensorScale) {
  EXPECT_EQ(block_bits(kMxfp4, {1, 32}), 32 * 4 + 8);
  EXPECT_EQ(block_bits(kHif4, {1, 64}), 288);
  EXPECT_EQ(block_bits(kNvfp4, {1, 16}), 16 * 4 + 8 + 32);
  EXPECT_EQ(block_bits(kNvfp4, {2, 32}), 4 * 72 + 32);
  // A tail takes a block of its own.
  EXPECT_EQ(block_bits(kMxfp4, {3, 33}), 3 * 2 * 136);
}

TEST(MacroBits, StaticIsTheMantissaDynamicTheFactor) {
  MacroBlockScaling scaling;
  EXPECT_EQ(macro_bits(scaling, {2, 256}), 2 * 2 * 8);
  EXPECT_EQ(macro_bits(scaling, {2, 320}), 2 * 3 * 8);
  scaling.mantissa_bits = 5;
  scaling.length = 32;
  EXPECT_EQ(macro_bits(scaling, {1, 64}), 2 * 5);
  scaling.search = MacroSearch::kDynamic;
  EXPECT_EQ(macro_bits(scaling, {1, 64}), 2 * 16);
}

ResidualTreatment residual_of(ResidualPattern pattern) {
  ResidualTreatment residual;
  residual.pattern = pattern;
  return residual;
}

void expect_cost(const ResidualTreatment& residual, const BlockFormat& format,
                 const MatrixSize& size, double bits, double mac_share) {
  const auto cost = residual_cost(residual, format, size);
  ASSERT_TRUE(cost);
  EXPECT_EQ(cost->bits, bits);
  EXPECT_EQ(cost->mac_share, mac_share);
}

TEST(ResidualCost, TwoOfFourHasTwoCodesTwoPositionsAndItsScales) {
  const ResidualTreatment residual = residual_of(ResidualPattern::kTwoOfFour);
  expect_cost(residual, kMxfp4, {1, 32}, 8 * (2 * 4 + 2 * 2) + 8, 0.5);   // 3.25 a value
  expect_cost(residual, kHif4, {1, 64}, 16 * (2 * 4 + 2 * 2) + 32, 0.5);  // 3.5 a value
  expect_cost(residual, kNvfp4, {2, 16}, 2 * (4 * 12 + 8), 0.5);
}

TEST(ResidualCost, DenseIsASecondCopy) {
  const ResidualTreatment residual = residual_of(ResidualPattern::kDense);
  expect_cost(residual, kMxfp4, {3, 64}, 3 * 2 * 136, 1);
  expect_cost(residual, kNvfp4, {1, 16}, 72, 1);  // under the operand's own tensor scale
  expect_cost(residual_of(ResidualPattern::kNone), kMxfp4, {3, 64}, 0, 0);
}

TEST(ResidualCost, ChannelsHaveAMask) {
  const ResidualTreatment residual = residual_of(ResidualPattern::kChannel50);
  expect_cost(residual, kMxfp4, {4, 64}, 4 * 32 * 4 + 4 * 2 * 8 + 64, 0.5);
  expect_cost(residual, kMxfp4, {1, 5}, 2 * 4 + 8 + 5, 2.0 / 5);
}

TEST(ResidualCost, TilesHaveAMaskAndTakeTheirScalesAlong) {
  const ResidualTreatment residual = residual_of(ResidualPattern::kBlock32x64At50);
  expect_cost(residual, kMxfp4, {64, 128}, 2 * (32 * 64 * 4 + 32 * 2 * 8) + 4, 0.5);
  expect_cost(residual, kHif4, {96, 64}, 32 * 64 * 4 + 32 * 32 + 3, 1.0 / 3);
}

TEST(ResidualCost, OfARateOfTiles) {
  ResidualTreatment residual = residual_of(ResidualPattern::kDense);
  residual.selection.emplace();
  residual.selection->rate = 0.3;
  expect_cost(residual, kMxfp4, {256, 256}, 128 * 128 * 4 + 128 * 4 * 8 + 4, 0.25);
  residual.selection->tiles.channels = 16;  // shorter than a block, whose scale then stays
  expect_cost(residual, kMxfp4, {128, 64}, 128 * 16 * 4 + 128 * 2 * 8 + 4, 0.25);
  residual.selection->rate.reset();
  residual.selection->theta = 1.0F;
  EXPECT_FALSE(residual_cost(residual, kMxfp4, {256, 256}));
}

/// A GEMM of 4 x 2 x 32 and A in MXFP4.
class StorageOfGemms : public testing::Test {
 protected:
  StorageOfGemms() {
    record.m = 4;
    record.n = 2;
    record.k = 32;
    treatment.a.recipe.emplace();
    treatment.a.recipe->preset = preset(kMxfp4, "");
  }

  GemmRecord record;
  GemmTreatment treatment;
  Storage storage;
};

TEST_F(StorageOfGemms, UnquantizedOperandsKeepTheirOwnWidth) {
  storage.add(record, {ValueType::kBf16, ValueType::kF32}, treatment);
  EXPECT_EQ(storage.a.bits_per_value(), 4.25);
  EXPECT_EQ(storage.b.bits_per_value(), 32);
  EXPECT_EQ(storage.bits_per_value(), (4 * 136.0 + 2 * 32 * 32) / (6 * 32));
  EXPECT_EQ(storage.macs_per_mac(), 1);
  EXPECT_TRUE(storage.a.factor_sizes.empty());
}

TEST_F(StorageOfGemms, EveryCallReadsItsOperands) {
  record.count = 3;
  record.batch = 5;
  storage.add(record, {}, treatment);
  EXPECT_EQ(storage.a.values, 15 * 4 * 32);
  EXPECT_EQ(storage.a.bits, 15 * 4 * 136);
  EXPECT_EQ(storage.b.values, 15 * 2 * 32);
  EXPECT_EQ(storage.useful_macs, 15 * 4 * 2 * 32);
}

TEST_F(StorageOfGemms, AResidualIsOperandAs) {
  treatment.b = treatment.a;
  treatment.a.recipe->macro.emplace();
  treatment.residual.pattern = ResidualPattern::kTwoOfFour;
  storage.add(record, {}, treatment);
  EXPECT_EQ(storage.a.bits_per_value(), 4.25 + 3.25 + 8.0 / 32);
  EXPECT_EQ(storage.b.bits_per_value(), 4.25);
  EXPECT_EQ(storage.macs_per_mac(), 1.5);
  EXPECT_EQ(storage.a.factor_sizes, std::set<int>{8});
  EXPECT_TRUE(storage.b.factor_sizes.empty());
  // A second GEMM without a residual, of the same size.
  treatment.residual.pattern = ResidualPattern::kNone;
  storage.add(record, {}, treatment);
  EXPECT_EQ(storage.macs_per_mac(), 1.25);
  EXPECT_EQ(storage.a.bits_per_value(), 4.25 + 3.25 / 2 + 8.0 / 32);
}

TEST_F(StorageOfGemms, BlocksAlongTheOtherAxis) {
  treatment.a.axis = BlockAxis::kOther;  // 32 rows of 4, a block each
  storage.add(record, {}, treatment);
  EXPECT_EQ(storage.a.bits, 32 * 136);
  EXPECT_EQ(storage.a.values, 4 * 32);
}

TEST_F(StorageOfGemms, WhatValuesDecideIsNotKnown) {
  treatment.residual.pattern = ResidualPattern::kDense;
  treatment.residual.selection.emplace();
  treatment.residual.selection->theta = 2.0F;
  storage.add(record, {}, treatment);
  EXPECT_FALSE(storage.a.bits_per_value());
  EXPECT_FALSE(storage.bits_per_value());
  EXPECT_FALSE(storage.macs_per_mac());
  EXPECT_EQ(storage.b.bits_per_value(), 16);
}

TEST(Storage, OfNothingIsNone) {
  EXPECT_FALSE(Storage().bits_per_value());
  EXPECT_FALSE(Storage().macs_per_mac());
}

}  // namespace
}  // namespace nibblecore::tb
