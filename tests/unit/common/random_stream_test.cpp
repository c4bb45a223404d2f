// SPDX-License-Identifier: Apache-2.0
#include "model/common/random_stream.hpp"

#include <cmath>

#include <gtest/gtest.h>

namespace nibblecore {
namespace {

TEST(RandomStream, CountsElementsInTheLowWordsThenTensorThenStream) {
  const RandomStream random{0x299F31D0A4093822, static_cast<Stream>(0x03707344), 0x13198A2E};
  // The published words of the digits of pi.
  EXPECT_EQ(random_words(random, 0x85A308D3243F6A88),
            (PhiloxCounter{0xD16CFE09, 0x94FDCCEB, 0x5001E420, 0x24126EA1}));
  EXPECT_EQ(random_bits16(random, 0x85A308D3243F6A88), 0xFE09);
}

TEST(RandomStream, StreamsKeepTheirNumbers) {
  EXPECT_EQ(static_cast<uint32_t>(Stream::kStochasticRounding), 0);
  EXPECT_EQ(static_cast<uint32_t>(Stream::kHadamardSigns), 1);
  EXPECT_EQ(static_cast<uint32_t>(Stream::kSyntheticData), 2);
  EXPECT_EQ(static_cast<uint32_t>(Stream::kSyntheticPhases), 3);
  EXPECT_EQ(static_cast<uint32_t>(Stream::kOutlierChannels), 4);
  EXPECT_EQ(static_cast<uint32_t>(Stream::kNoise), 5);
  EXPECT_EQ(static_cast<uint32_t>(Stream::kResidualRounding), 6);
}

TEST(RandomStream, UnitsLieInsideTheOpenInterval) {
  EXPECT_EQ(unit_of_words(0, 0), 0x1p-53);
  EXPECT_EQ(unit_of_words(0xFFFFFFFF, 0xFFFFFFFF), 1 - 0x1p-53);
  EXPECT_EQ(unit_of_words(0x00000FFF, 0x80000000), 0.5 + 0x1p-53);  // the lowest 12 bits are unused
  EXPECT_EQ(unit_of_words(0x00001000, 0x80000000), 0.5 + 0x3p-53);
}

TEST(RandomStream, UnitsAreUniform) {
  const RandomStream random{7, Stream::kSyntheticData, 3};
  constexpr int kCount = 1 << 14;
  double sum = 0;
  double squares = 0;
  for (int i = 0; i < kCount; ++i) {
    const double unit = random_unit(random, static_cast<uint64_t>(i));
    sum += unit;
    squares += unit * unit;
  }
  // Standard errors of the mean, sqrt(1/12 / n), and of the mean square, sqrt(4/45 / n).
  EXPECT_NEAR(sum / kCount, 1.0 / 2, 4 * std::sqrt(1.0 / 12 / kCount));
  EXPECT_NEAR(squares / kCount, 1.0 / 3, 4 * std::sqrt(4.0 / 45 / kCount));
}

}  // namespace
}  // namespace nibblecore
