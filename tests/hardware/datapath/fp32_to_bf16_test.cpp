// SPDX-License-Identifier: Apache-2.0
#include "hw/datapath/fp32_to_bf16.hpp"

#include <array>

#include <gtest/gtest.h>

#include "model/formats/bf16.hpp"

namespace nibblecore::hw {
namespace {

/// Lower halves around where the rounding turns: exact, just above, just below the tie, the tie,
/// just above it, all ones.
constexpr std::array<uint32_t, 10> kLowerHalves{0x0000, 0x0001, 0x0080, 0x4000, 0x7FFF,
                                                0x8000, 0x8001, 0x8080, 0xC000, 0xFFFF};

bool is_nan(uint32_t bits) { return (bits & 0x7FFFFFFF) > 0x7F800000; }

TEST(Fp32ToBf16Test, EveryUpperHalfIsRoundedAsTheModelRoundsIt) {
  for (uint32_t upper = 0; upper < 0x10000; ++upper) {
    for (const uint32_t lower : kLowerHalves) {
      const uint32_t bits = upper << 16 | lower;
      // The accumulators hold one NaN only, and so does what is stored.
      const uint16_t expected = is_nan(bits) ? uint16_t{0x7FC0} : bf16_from_fp32(bits);
      ASSERT_EQ(fp32_to_bf16(bits), expected) << std::hex << bits;
    }
  }
}

TEST(Fp32ToBf16Test, TiesGoToTheEvenNeighbour) {
  EXPECT_EQ(fp32_to_bf16(0x3F808000), 0x3F80);
  EXPECT_EQ(fp32_to_bf16(0x3F818000), 0x3F82);
  EXPECT_EQ(fp32_to_bf16(0xBF818000), 0xBF82);
}

TEST(Fp32ToBf16Test, TheCarryRunsIntoTheExponentUpToInfinity) {
  EXPECT_EQ(fp32_to_bf16(0x3FFFFFFF), 0x4000);
  EXPECT_EQ(fp32_to_bf16(0x007FFFFF), 0x0080) << "the largest subnormal becomes normal";
  EXPECT_EQ(fp32_to_bf16(0x7F7F7FFF), 0x7F7F);
  EXPECT_EQ(fp32_to_bf16(0x7F7F8000), 0x7F80);
  EXPECT_EQ(fp32_to_bf16(0xFF7FFFFF), 0xFF80);
}

TEST(Fp32ToBf16Test, InfinitiesStayAndNansBecomeTheOne) {
  EXPECT_EQ(fp32_to_bf16(0x7F800000), 0x7F80);
  EXPECT_EQ(fp32_to_bf16(0xFF800000), 0xFF80);
  EXPECT_EQ(fp32_to_bf16(0x7F800001), 0x7FC0) << "not rounded to infinity";
  EXPECT_EQ(fp32_to_bf16(0xFFFFFFFF), 0x7FC0);
}

}  // namespace
}  // namespace nibblecore::hw
