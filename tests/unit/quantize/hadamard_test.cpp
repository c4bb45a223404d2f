// SPDX-License-Identifier: Apache-2.0
#include "model/quantize/hadamard.hpp"

#include <cmath>
#include <limits>
#include <numeric>
#include <random>

#include <gmock/gmock.h>

#include "tests/unit/quantize/corrected_operands.hpp"

namespace nibblecore {
namespace {

using ::testing::HasSubstr;

constexpr std::array<int, 3> kLengths{16, 32, 64};

/// Sylvester's matrix: + where the indices have an even number of ones in common.
int sylvester(int i, int j) {
  return __builtin_popcount(static_cast<unsigned>(i & j)) % 2 ? -1 : 1;
}

std::vector<float> small_integers(int64_t count, unsigned seed) {
  std::mt19937 engine(seed);
  std::uniform_int_distribution<int> distribution(-100, 100);
  std::vector<float> values;
  for (int64_t i = 0; i < count; ++i) {
    values.push_back(static_cast<float>(distribution(engine)));
  }
  return values;
}

HadamardTransform seeded(int length) {
  return {length, HadamardSigns::kSeeded, {9, Stream::kHadamardSigns, 4}};
}

TEST(Hadamard, IsSylvestersMatrixOverTheRootOfItsLength) {
  for (const int length : kLengths) {
    const Hadamard hadamard(seeded(length));
    const std::vector<float> x = small_integers(3 * length, 1);
    std::vector<float> y = x;
    hadamard.transform(3 * length, y.data());
    const auto root = static_cast<float>(1 / std::sqrt(static_cast<double>(length)));
    for (int j = 0; j < 3 * length; ++j) {
      float sum = 0;  // of integers, exact
      for (int i = 0; i < length; ++i) {
        const float value = x[static_cast<size_t>(j / length * length + i)];
        sum += value * hadamard.sign(i) * static_cast<float>(sylvester(i, j % length));
      }
      EXPECT_EQ(y[static_cast<size_t>(j)], sum * root) << length << " " << j;
    }
  }
}

TEST(Hadamard, TwiceIsTheIdentity) {
  for (const int length : {16, 64}) {  // whose roots are powers of two
    const Hadamard hadamard({length, HadamardSigns::kPlus});
    const std::vector<float> x = small_integers(length, 2);
    std::vector<float> y = x;
    hadamard.transform(length, y.data());
    EXPECT_NE(y, x);
    hadamard.transform(length, y.data());
    EXPECT_EQ(y, x) << length;
  }
}

TEST(Hadamard, KeepsTheProductOfTwoOperands) {
  for (const HadamardTransform& transform :
       {HadamardTransform{16, HadamardSigns::kTransformerEngine}, seeded(16), seeded(64)}) {
    const Hadamard hadamard(transform);
    std::vector<float> a = small_integers(128, 3);
    std::vector<float> b = small_integers(128, 4);
    const double product = std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
    hadamard.transform(128, a.data());
    hadamard.transform(128, b.data());
    EXPECT_EQ(std::inner_product(a.begin(), a.end(), b.begin(), 0.0), product);
  }
}

TEST(Hadamard, TransformerEnginesSigns) {
  const Hadamard hadamard({16, HadamardSigns::kTransformerEngine});
  const std::vector<int> expected{1, 1, 1, -1, 1, -1, -1, -1, -1, -1, -1, 1, -1, 1, -1, -1};
  for (int i = 0; i < 16; ++i) {
    EXPECT_EQ(hadamard.sign(i), expected[static_cast<size_t>(i)]) << i;
  }
}

TEST(Hadamard, SeededSignsAreTheStreams) {
  const HadamardTransform transform = seeded(64);
  const Hadamard hadamard(transform);
  int negative = 0;
  for (int i = 0; i < 64; ++i) {
    const bool minus = (random_words(transform.random, static_cast<uint64_t>(i))[0] & 1) != 0;
    EXPECT_EQ(hadamard.sign(i), minus ? -1 : 1);
    negative += minus ? 1 : 0;
  }
  EXPECT_GT(negative, 16);
  EXPECT_LT(negative, 48);
}

TEST(Hadamard, ButterfliesBeginWithNeighbours) {
  // Stride 1 first: 2^24 + 1 rounds to 2^24, which -2^24 cancels; stride 8 first would keep the 1.
  std::vector<float> values(16);
  values[0] = 0x1p24F;
  values[1] = 1;
  values[8] = -0x1p24F;
  Hadamard({16, HadamardSigns::kPlus}).transform(16, values.data());
  EXPECT_EQ(values[0], 0.0F);
}

TEST(Hadamard, FactorOf32IsRoundedAndAppliedOnce) {
  std::vector<float> values(32);
  values[0] = 3;
  Hadamard({32, HadamardSigns::kPlus}).transform(32, values.data());
  for (const float value : values) {
    EXPECT_EQ(float_bits(value), float_bits(3.0F * bits_float(0x3E3504F3)));
  }
}

TEST(Hadamard, GroupsAreApart) {
  std::vector<float> values(48, 1.0F);
  values[20] = std::numeric_limits<float>::quiet_NaN();
  Hadamard({16, HadamardSigns::kPlus}).transform(48, values.data());
  for (int i = 0; i < 48; ++i) {
    EXPECT_EQ(std::isnan(values[static_cast<size_t>(i)]), i / 16 == 1) << i;
  }
  EXPECT_EQ(values[0], 4.0F);
  EXPECT_EQ(values[47], 0.0F);
}

TEST(Hadamard, RefusesWhatItCannotDo) {
  EXPECT_THAT(input_error([] {
                require_hadamard({32, HadamardSigns::kPlus}, 48);
              }),
              HasSubstr("K = 48"));
  EXPECT_THAT(input_error([] { Hadamard({8, HadamardSigns::kPlus}); }), HasSubstr("length 8"));
  EXPECT_THAT(input_error([] {
                Hadamard({32, HadamardSigns::kTransformerEngine});
              }),
              HasSubstr("not 32"));
  EXPECT_NO_THROW(require_hadamard({32, HadamardSigns::kPlus}, 96));
}

}  // namespace
}  // namespace nibblecore
