// SPDX-License-Identifier: Apache-2.0
#include "tb/coverage/rounding_position.hpp"

#include <gtest/gtest.h>

namespace nibblecore::tb {
namespace {

void expect_placed(double magnitude, Position position, size_t code) {
  const Placed placed = place(magnitude, e2m1_magnitudes());
  EXPECT_EQ(placed.position, position) << magnitude;
  EXPECT_EQ(placed.code, code) << magnitude;
}

TEST(RoundingPositionTest, PlacesMagnitudesBetweenTheNumbersOfE2m1) {
  expect_placed(0, Position::kExact, 0);
  expect_placed(0.2, Position::kBelowHalf, 0);
  expect_placed(0.25, Position::kTieEvenBelow, 0);
  expect_placed(0.75, Position::kTieOddBelow, 1);
  expect_placed(2.5, Position::kTieEvenBelow, 4);
  expect_placed(3.5, Position::kTieOddBelow, 5);
  expect_placed(4.9, Position::kBelowHalf, 6);
  expect_placed(5, Position::kTieEvenBelow, 6);
  expect_placed(5.1, Position::kAboveHalf, 6);
  expect_placed(6, Position::kExact, 7);
  expect_placed(6.1, Position::kBeyond, 7);
}

TEST(RoundingPositionTest, HasANameForEveryPosition) {
  EXPECT_EQ(position_names().size(), static_cast<size_t>(kPositions));
  EXPECT_EQ(position_names().at(static_cast<size_t>(Position::kBeyond)), "beyond the largest");
}

}  // namespace
}  // namespace nibblecore::tb
