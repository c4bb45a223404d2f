// SPDX-License-Identifier: Apache-2.0
#include "tb/claims/claim.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "model/common/error.hpp"

namespace nibblecore::tb {
namespace {

Statement statement(Quantifier quantifier, const std::vector<double>& deciding,
                    const std::vector<double>& widening = {}) {
  Statement result;
  result.holds_within = {1, 2};
  result.quantifier = quantifier;
  result.tolerance = 0.25;
  for (const double value : deciding) {
    result.figures.push_back({"data", "figure", value, FigureRole::kDecides});
  }
  for (const double value : widening) {
    result.figures.push_back({"data", "figure", value, FigureRole::kWidens});
  }
  result.figures.push_back({"data", "figure", 1.5, FigureRole::kContext});
  return result;
}

TEST(Claim, PublishedFiguresStandForWhatRoundsToThem) {
  const Interval interval = rounds_to(1.72, 0.01);
  EXPECT_DOUBLE_EQ(interval.low, 1.715);
  EXPECT_DOUBLE_EQ(interval.high, 1.725);
}

TEST(Claim, EveryDecidingFigureMustLieInTheInterval) {
  const auto of = [](const std::vector<double>& values) {
    return verdict(statement(Quantifier::kEvery, values));
  };
  EXPECT_EQ(of({1, 2}), Verdict::kHolds);
  EXPECT_EQ(of({0.75, 2.25}), Verdict::kHolds);  // the tolerance
  EXPECT_EQ(of({0.74, 2}), Verdict::kHoldsInPart);
  EXPECT_EQ(of({0.74, 2.26}), Verdict::kDoesNotHold);
  EXPECT_EQ(of({std::nan("")}), Verdict::kDoesNotHold);
}

TEST(Claim, TheRangeOfDecidingFiguresMustMeetTheInterval) {
  const auto of = [](const std::vector<double>& values, const std::vector<double>& widening) {
    return verdict(statement(Quantifier::kRange, values, widening));
  };
  EXPECT_EQ(of({0, 3}, {}), Verdict::kHolds);
  EXPECT_EQ(of({2.25, 3}, {}), Verdict::kHolds);
  EXPECT_EQ(of({2.26, 3}, {}), Verdict::kDoesNotHold);
  EXPECT_EQ(of({2.26, 3}, {5}), Verdict::kDoesNotHold);
  EXPECT_EQ(of({2.26, 3}, {0}), Verdict::kHoldsInPart);  // past the interval
  EXPECT_EQ(of({2.26, 3}, {2}), Verdict::kHoldsInPart);
  EXPECT_EQ(of({2.26, std::nan("")}, {5}), Verdict::kDoesNotHold);
}

TEST(Claim, AWiderIntervalMakesItHoldInPart) {
  Statement wide = statement(Quantifier::kEvery, {4, 5});
  EXPECT_EQ(verdict(wide), Verdict::kDoesNotHold);
  wide.partly_within = Interval{0, 4};
  EXPECT_EQ(verdict(wide), Verdict::kDoesNotHold);
  wide.partly_within = Interval{0, 5};
  EXPECT_EQ(verdict(wide), Verdict::kHoldsInPart);
}

TEST(Claim, ContextDecidesNothing) {
  EXPECT_THROW(verdict(statement(Quantifier::kEvery, {})), InternalError);
}

TEST(Claim, StatementsThatDisagreeMakeItHoldInPart) {
  const Statement holds = statement(Quantifier::kEvery, {1});
  const Statement fails = statement(Quantifier::kEvery, {9});
  EXPECT_EQ(verdict(Claim{1, "", "", {holds, holds}}), Verdict::kHolds);
  EXPECT_EQ(verdict(Claim{1, "", "", {fails, fails}}), Verdict::kDoesNotHold);
  EXPECT_EQ(verdict(Claim{1, "", "", {holds, fails}}), Verdict::kHoldsInPart);
  EXPECT_THROW(verdict(Claim{1, "", "", {}}), InternalError);
}

TEST(Claim, VerdictsHaveNames) {
  EXPECT_EQ(name_of(Verdict::kHolds), "holds");
  EXPECT_EQ(name_of(Verdict::kHoldsInPart), "holds in part");
  EXPECT_EQ(name_of(Verdict::kDoesNotHold), "does not hold");
}

}  // namespace
}  // namespace nibblecore::tb
