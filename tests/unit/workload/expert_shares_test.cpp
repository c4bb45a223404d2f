// SPDX-License-Identifier: Apache-2.0
#include "model/workload/expert_shares.hpp"

#include <algorithm>
#include <functional>
#include <numeric>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model/common/error.hpp"

namespace nibblecore {
namespace {

using testing::ElementsAre;

std::vector<double> descending(std::vector<double> shares) {
  std::sort(shares.begin(), shares.end(), std::greater<>());
  return shares;
}

TEST(ExpertShares, EvenAndZipfAreAsWritten) {
  EXPECT_THAT(expert_shares({ExpertLawKind::kEven, 0}, 3, 1), ElementsAre(1, 1, 1));
  const std::vector<double> zipf = expert_shares({ExpertLawKind::kZipf, 1}, 4, 1);
  const std::vector<double> sorted = descending(zipf);
  // Powers of ranks are rounded; what experts get of tokens is compared exactly elsewhere.
  for (size_t rank = 0; rank < 4; ++rank) {
    EXPECT_NEAR(sorted[rank], 1.0 / static_cast<double>(rank + 1), 1e-12);
  }
}

TEST(ExpertShares, TheSeedShufflesExperts) {
  const ExpertLaw zipf{ExpertLawKind::kZipf, 0.5};
  const std::vector<double> first = expert_shares(zipf, 128, 1);
  const std::vector<double> second = expert_shares(zipf, 128, 2);
  EXPECT_EQ(first, expert_shares(zipf, 128, 1));
  EXPECT_NE(first, second);
  EXPECT_EQ(descending(first), descending(second));
  EXPECT_NE(first, descending(first));
}

TEST(ExpertShares, TiersShareTheirMean) {
  // 1, 1/2, 1/3, 1/4, 1/5 in two tiers: the first three, the other two.
  const std::vector<double> shares = descending(expert_shares({ExpertLawKind::kZipf, 1, 2}, 5, 1));
  // Means of rounded numbers.
  EXPECT_NEAR(shares[0], 11.0 / 18, 1e-12);
  EXPECT_EQ(shares[0], shares[2]);
  EXPECT_NEAR(shares[3], 9.0 / 40, 1e-12);
  EXPECT_EQ(shares[3], shares[4]);
  EXPECT_EQ(expert_shares({ExpertLawKind::kDirichlet, 1, 5}, 5, 1).size(), 5U);
  EXPECT_EQ(descending(expert_shares({ExpertLawKind::kDirichlet, 1, 9}, 5, 1)),
            descending(expert_shares({ExpertLawKind::kDirichlet, 1}, 5, 1)));
}

// Whole tiers get the tokens that rounding leaves, so that at most one tier is split.
TEST(ExpertTokens, OfTiersHaveFewDifferentNumbers) {
  const std::vector<double> shares = expert_shares({ExpertLawKind::kZipf, 0.5, 16}, 128, 1);
  for (const int64_t tokens : {1, 77, 256, 10'240, 14'848}) {
    std::vector<int64_t> counts = expert_tokens(shares, tokens, 8);
    EXPECT_EQ(std::accumulate(counts.begin(), counts.end(), int64_t{0}), tokens * 8);
    std::sort(counts.begin(), counts.end());
    counts.erase(std::unique(counts.begin(), counts.end()), counts.end());
    EXPECT_LE(counts.size(), 17U) << tokens;
  }
}

TEST(ExpertShares, DirichletIsEvenerForGreaterConcentrations) {
  const auto spread = [](double concentration) {
    const std::vector<double> shares =
        expert_shares({ExpertLawKind::kDirichlet, concentration}, 64, 3);
    const double sum = std::accumulate(shares.begin(), shares.end(), 0.0);
    return *std::max_element(shares.begin(), shares.end()) * 64 / sum;
  };
  EXPECT_GT(spread(0.05), 10);
  EXPECT_GT(spread(1), 2);
  EXPECT_LT(spread(1), 10);
  EXPECT_LT(spread(1000), 1.2);
}

// Mean and variance of a gamma law are both its shape.
TEST(ExpertShares, DirichletDrawsOfAGammaLaw) {
  for (const double shape : {0.5, 1.0, 4.0}) {
    const std::vector<double> draws = expert_shares({ExpertLawKind::kDirichlet, shape}, 40'000, 7);
    double sum = 0;
    double squares = 0;
    for (const double value : draws) {
      sum += value;
      squares += value * value;
    }
    const double mean = sum / 40'000;
    // A sample's: some five standard errors.
    EXPECT_NEAR(mean, shape, 0.05 * shape);
    EXPECT_NEAR(squares / 40'000 - mean * mean, shape, 0.1 * shape);
  }
}

TEST(ExpertTokens, AreSharesToTheNearestToken) {
  EXPECT_THAT(expert_tokens({1, 1, 1, 1}, 8, 2), ElementsAre(4, 4, 4, 4));
  EXPECT_THAT(expert_tokens({0.5, 0.25, 0.25}, 8, 1), ElementsAre(4, 2, 2));
  // 3.5, 2.1, 1.4: the largest remainder gets the token that is left.
  EXPECT_THAT(expert_tokens({5, 3, 2}, 7, 1), ElementsAre(4, 2, 1));
}

TEST(ExpertTokens, NoExpertGetsATokenTwice) {
  EXPECT_THAT(expert_tokens({100, 1, 1}, 6, 2), ElementsAre(6, 3, 3));
  EXPECT_THAT(expert_tokens({8, 4, 2, 1}, 1, 2), ElementsAre(1, 1, 0, 0));
  EXPECT_THAT(expert_tokens({3, 1}, 5, 2), ElementsAre(5, 5));
}

TEST(ExpertTokens, SumToTokensTimesChosenExactly) {
  for (const ExpertLaw& law : {ExpertLaw{ExpertLawKind::kEven, 0},
                               {ExpertLawKind::kZipf, 0.5},
                               {ExpertLawKind::kZipf, 10},
                               {ExpertLawKind::kDirichlet, 0.001},
                               {ExpertLawKind::kDirichlet, 0.3}}) {
    const std::vector<double> shares = expert_shares(law, 128, 11);
    for (const int64_t tokens : {0, 1, 2, 31, 256, 10'239, 1'000'003}) {
      for (const int64_t chosen : {1, 8, 128}) {
        const std::vector<int64_t> counts = expert_tokens(shares, tokens, chosen);
        EXPECT_EQ(std::accumulate(counts.begin(), counts.end(), int64_t{0}), tokens * chosen);
        EXPECT_LE(*std::max_element(counts.begin(), counts.end()), tokens);
        EXPECT_GE(*std::min_element(counts.begin(), counts.end()), 0);
      }
    }
  }
}

TEST(ExpertTokens, RefusesMoreThan64Bits) {
  EXPECT_THROW(expert_tokens({1, 1}, int64_t{1} << 62, 2), InputError);
}

}  // namespace
}  // namespace nibblecore
