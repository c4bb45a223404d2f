// SPDX-License-Identifier: Apache-2.0
#include "model/synthetic/law.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include <gtest/gtest.h>

#include "model/common/error.hpp"

namespace nibblecore {
namespace {

/// Probability of |x| < limit, by the textbook formulae; Student-t for even degrees of freedom.
double probability_within(const Law& law, double limit) {
  switch (law.kind) {
    case LawKind::kGaussian:
      return std::erf(limit / std::sqrt(2.0));
    case LawKind::kLaplace:
      return 1 - std::exp(-limit);
    case LawKind::kUniform:
      return std::min(1.0, limit);
    case LawKind::kStudentT:
      break;
  }
  const double angle = std::atan(limit / std::sqrt(law.degrees_of_freedom));
  double term = 1;
  double sum = 1;
  for (int i = 2; i < law.degrees_of_freedom; i += 2) {
    term *= (i - 1.0) / i * std::cos(angle) * std::cos(angle);
    sum += term;
  }
  return std::sin(angle) * sum;
}

class LawTest : public testing::TestWithParam<Law> {};

TEST_P(LawTest, HasItsProbabilities) {
  constexpr uint64_t kCount = 1 << 15;
  const RandomStream random{2024, Stream::kSyntheticData, 5};
  for (const double limit : {0.1, 0.5, 1.0, 2.0, 4.0}) {
    uint64_t inside = 0;
    uint64_t positive = 0;
    for (uint64_t i = 0; i < kCount; ++i) {
      const double value = draw(GetParam(), random, i);
      inside += std::fabs(value) < limit ? 1 : 0;
      positive += value > 0 ? 1 : 0;
    }
    const double expected = probability_within(GetParam(), limit);
    const double deviation = std::sqrt(expected * (1 - expected) / kCount);
    EXPECT_NEAR(static_cast<double>(inside) / kCount, expected, 4 * deviation) << limit;
    EXPECT_NEAR(static_cast<double>(positive) / kCount, 0.5, 4 * 0.5 / std::sqrt(1.0 * kCount));
  }
}

INSTANTIATE_TEST_SUITE_P(AllLaws, LawTest, testing::ValuesIn(kLaws),
                         [](const auto& parameter) { return std::string(parameter.param.name); });

// The meaning of a seed: these may never change.
TEST(Law, KeepsItsValues) {
  const RandomStream random{1, Stream::kSyntheticData, 0};
  EXPECT_EQ(draw(find_law("gaussian"), random, 0), -0x1.509bb9b90eb9cp+0);
  EXPECT_EQ(draw(find_law("gaussian"), random, 0x100000001), -0x1.0dad821a9dd31p-3);
  EXPECT_EQ(draw(find_law("t4"), random, 0), -0x1.78b525dbf428ap+0);
  EXPECT_EQ(draw(find_law("laplace"), random, 0), -0x1.681b5efa08eccp-3);
  EXPECT_EQ(draw(find_law("uniform"), random, 0), -0x1.4a396c4d01bd8p-3);
}

TEST(Law, NamesTheKnownOnes) {
  EXPECT_EQ(find_law("t12").degrees_of_freedom, 12);
  EXPECT_THROW(find_law("cauchy"), InputError);
}

}  // namespace
}  // namespace nibblecore
