// SPDX-License-Identifier: Apache-2.0
#include "model/workload/length_law.hpp"

#include <algorithm>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model/workload/workload_random.hpp"
#include "tests/support/input_error.hpp"

namespace nibblecore {
namespace {

using testing::HasSubstr;

constexpr RandomStream kRandom = workload_random(9, WorkloadDraw::kPromptLengths);

std::vector<int64_t> sorted_draws(const LengthLaw& law, uint64_t count) {
  std::vector<int64_t> lengths;
  for (uint64_t index = 0; index < count; ++index) {
    lengths.push_back(draw_length(law, kRandom, index, "place"));
  }
  std::sort(lengths.begin(), lengths.end());
  return lengths;
}

TEST(LengthLaw, FixedIsItsLength) {
  const LengthLaw law{LengthLawKind::kFixed, 1, 0, 77, 77};
  EXPECT_EQ(sorted_draws(law, 3), (std::vector<int64_t>{77, 77, 77}));
}

TEST(LengthLaw, UniformHasBothEndsEquallyOften) {
  const LengthLaw law{LengthLawKind::kUniform, 1, 0, 5, 8};
  const std::vector<int64_t> lengths = sorted_draws(law, 4000);
  for (int64_t length = 5; length <= 8; ++length) {
    const auto times = std::count(lengths.begin(), lengths.end(), length);
    // A sample's: some four standard errors, 27 each.
    EXPECT_NEAR(static_cast<double>(times), 1000, 120) << length;
  }
  EXPECT_EQ(lengths.front(), 5);
  EXPECT_EQ(lengths.back(), 8);
}

TEST(LengthLaw, LogNormalHasItsMedianAndQuartiles) {
  const LengthLaw law{LengthLawKind::kClippedLogNormal, 400, 0.5, 1, 100'000};
  const std::vector<int64_t> lengths = sorted_draws(law, 8000);
  // Quartiles lie at e^(+-0.6745 sigma); a sample's are within some four standard errors.
  EXPECT_NEAR(static_cast<double>(lengths[4000]), 400, 12);
  EXPECT_NEAR(static_cast<double>(lengths[2000]), 285.5, 12);
  EXPECT_NEAR(static_cast<double>(lengths[6000]), 560.4, 20);
}

TEST(LengthLaw, ClippedGathersAtTheEndsTruncatedDoesNot) {
  const LengthLaw clipped{LengthLawKind::kClippedLogNormal, 100, 1, 50, 200};
  LengthLaw truncated = clipped;
  truncated.kind = LengthLawKind::kTruncatedLogNormal;
  const std::vector<int64_t> cut = sorted_draws(clipped, 4000);
  const std::vector<int64_t> redrawn = sorted_draws(truncated, 4000);
  EXPECT_GT(std::count(cut.begin(), cut.end(), 200), 800);
  EXPECT_LT(std::count(redrawn.begin(), redrawn.end(), 200), 40);
  EXPECT_GE(redrawn.front(), 50);
  EXPECT_LE(redrawn.back(), 200);
}

TEST(LengthLaw, GreatestSigmaStaysInRange) {
  const LengthLaw law{LengthLawKind::kClippedLogNormal, 1'048'576, 10, 1, 1'048'576};
  const std::vector<int64_t> lengths = sorted_draws(law, 2000);
  EXPECT_GE(lengths.front(), 1);
  EXPECT_EQ(lengths.back(), 1'048'576);
}

TEST(LengthLaw, RefusesALawWithHardlyAnyMassInside) {
  const LengthLaw law{LengthLawKind::kTruncatedLogNormal, 100, 0.1, 1000, 2000};
  EXPECT_THAT(input_error([&] { draw_length(law, kRandom, 0, "recipe, prompt_tokens"); }),
              HasSubstr("recipe, prompt_tokens: a log-normal law of median 100"));
}

}  // namespace
}  // namespace nibblecore
