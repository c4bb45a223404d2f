// SPDX-License-Identifier: Apache-2.0
#include "model/analysis/decomposition.hpp"

#include <gtest/gtest.h>

namespace nibblecore {
namespace {

TEST(Decomposition, DerivedFigures) {
  Decomposition sum;
  sum.error = 8;
  sum.scale = 4;
  sum.grid = 9;
  sum.dead_zone = 1;
  sum.scale_grid = -3;
  sum.scale_dead_zone = 0.5;
  sum.grid_dead_zone = 0.25;
  sum.signal = 800;
  sum.product = 1600;
  sum.quantized = 3200;
  EXPECT_EQ(sum.share(sum.scale), 0.5);
  EXPECT_EQ(sum.scale_grid_cosine(), -0.5);
  EXPECT_EQ(sum.scale_dead_zone_cosine(), 0.25);
  EXPECT_EQ(sum.grid_dead_zone_cosine(), 0.25 / 3);
  EXPECT_EQ(sum.closure(), (14 - 6 + 1 + 0.5) / 8);
  EXPECT_EQ(sum.relative_error(), 0.01);
  EXPECT_DOUBLE_EQ(sum.decibels().value(), 20);
  EXPECT_EQ(sum.gain(), 2);
  EXPECT_DOUBLE_EQ(sum.cosine().value(), 1);
}

TEST(Decomposition, FiguresWithoutADenominatorAreNone) {
  const Decomposition none;
  EXPECT_EQ(none.share(0), std::nullopt);
  EXPECT_EQ(none.scale_grid_cosine(), std::nullopt);
  EXPECT_EQ(none.scale_dead_zone_cosine(), std::nullopt);
  EXPECT_EQ(none.grid_dead_zone_cosine(), std::nullopt);
  EXPECT_EQ(none.closure(), std::nullopt);
  EXPECT_EQ(none.relative_error(), std::nullopt);
  EXPECT_EQ(none.decibels(), std::nullopt);
  EXPECT_EQ(none.gain(), std::nullopt);
  EXPECT_EQ(none.cosine(), std::nullopt);
  EXPECT_TRUE(none.dead_zone_is_orthogonal());
  Decomposition exact;
  exact.signal = 1;
  EXPECT_EQ(exact.relative_error(), 0);
  EXPECT_EQ(exact.decibels(), std::nullopt);
}

TEST(Decomposition, MergesEverySum) {
  Decomposition one;
  double value = 1;
  for (double* const sum : {&one.error, &one.scale, &one.grid, &one.dead_zone, &one.scale_grid,
                            &one.scale_dead_zone, &one.grid_dead_zone, &one.signal, &one.product,
                            &one.quantized, &one.gamma.mean, &one.delta.mean}) {
    *sum = value++;
  }
  one.gamma.count = 2;
  one.delta.count = 3;
  int64_t count = 1;
  for (int64_t* const sum :
       {&one.blocks, &one.zero_blocks, &one.non_finite_blocks, &one.elements, &one.non_zero,
        &one.zeros, &one.underflows, &one.in_dead_zone, &one.dead_zone_values, &one.saturated,
        &one.clipped_blocks, &one.small_scale_blocks, &one.unscaled_blocks}) {
    *sum = count++;
  }
  Decomposition two = one;
  two += one;
  value = 1;
  for (const double sum :
       {two.error, two.scale, two.grid, two.dead_zone, two.scale_grid, two.scale_dead_zone,
        two.grid_dead_zone, two.signal, two.product, two.quantized}) {
    EXPECT_EQ(sum, 2 * value++);
  }
  EXPECT_EQ(two.gamma.mean, 11);
  EXPECT_EQ(two.gamma.count, 4);
  EXPECT_EQ(two.delta.mean, 12);
  EXPECT_EQ(two.delta.count, 6);
  count = 1;
  for (const int64_t sum :
       {two.blocks, two.zero_blocks, two.non_finite_blocks, two.elements, two.non_zero, two.zeros,
        two.underflows, two.in_dead_zone, two.dead_zone_values, two.saturated, two.clipped_blocks,
        two.small_scale_blocks, two.unscaled_blocks}) {
    EXPECT_EQ(sum, 2 * count++);
  }
  EXPECT_EQ(two.skipped_blocks(), 10);
  EXPECT_FALSE(two.dead_zone_is_orthogonal());
}

}  // namespace
}  // namespace nibblecore
