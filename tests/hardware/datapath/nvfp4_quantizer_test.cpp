// SPDX-License-Identifier: Apache-2.0
#include "hw/datapath/nvfp4_quantizer.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "model/common/bits.hpp"
#include "model/common/error.hpp"
#include "model/formats/fp32.hpp"
#include "model/formats/ue4m3.hpp"
#include "model/quantize/nvfp4.hpp"
#include "tests/support/random_blocks.hpp"

namespace nibblecore::hw {
namespace {

using Block = std::array<uint32_t, 16>;

constexpr uint32_t kOne = 0x3F800000;

Nvfp4Factors factors_of(uint32_t largest) {
  const Nvfp4TensorScale scale = nvfp4_tensor_scale(bits_float(largest));
  return {float_bits(scale.encode), float_bits(scale.decode)};
}

testing::AssertionResult equals_golden(const Block& block, const Nvfp4Factors& factors) {
  std::array<float, 16> values{};
  std::memcpy(values.data(), block.data(), sizeof block);
  const Nvfp4Unit expected =
      quantize_nvfp4(values.data(), {bits_float(factors.encode), bits_float(factors.decode)});
  const Nvfp4Unit unit = quantize_nvfp4_block(block, factors);
  if (unit.scale != expected.scale) {
    return testing::AssertionFailure()
           << std::hex << "scale " << int{unit.scale} << " for " << int{expected.scale}
           << ", factors " << factors.encode << ' ' << factors.decode;
  }
  for (size_t i = 0; i < block.size(); ++i) {
    if (unit.codes[i] != expected.codes[i]) {
      return testing::AssertionFailure()
             << std::hex << "code " << i << " is " << int{unit.codes[i]} << " for "
             << int{expected.codes[i]} << ", bits " << block[i] << " under scale "
             << int{unit.scale} << ", factors " << factors.encode << ' ' << factors.decode;
    }
  }
  return testing::AssertionSuccess();
}

uint32_t largest_of(const Block& block) {
  uint32_t largest = 0;
  for (const uint32_t bits : block) {
    largest = std::max(largest, bits & ~kFp32SignBit);
  }
  return largest;
}

/// The largest magnitude of a tensor that holds a block with this one: up to 2^23 above it, so that
/// block scales reach from the largest one over subnormal ones down to 0.
uint32_t tensor_largest(uint32_t block_largest, std::mt19937& random) {
  if (!fp32_is_finite(block_largest)) {
    return block_largest;
  }
  const auto raised =
      static_cast<uint32_t>(block_largest + (random() % 24 << 23) + (random() & 0x7FFFFF));
  return random() % 4 == 0 ? block_largest : std::min(raised, kFp32LargestFinite);
}

TEST(Nvfp4Quantizer, BlocksOfTensorsOfEveryMagnitude) {
  std::mt19937 random(30);
  for (int round = 0; round < 250'000; ++round) {
    for (const test::BlockFamily family : test::kBlockFamilies) {
      const Block block = test::random_block<16>(family, random);
      ASSERT_TRUE(equals_golden(block, factors_of(tensor_largest(largest_of(block), random))))
          << "family " << static_cast<int>(family) << ", round " << round;
    }
  }
}

TEST(Nvfp4Quantizer, BlocksUnderTheFactorsOfAnotherTensor) {
  // Blocks far above what the factors are for saturate scale and codes, blocks far below lose
  // both.
  std::mt19937 random(31);
  for (int round = 0; round < 100'000; ++round) {
    const Nvfp4Factors factors = factors_of(random() & 0x7FFFFFFF);
    for (const test::BlockFamily family : test::kBlockFamilies) {
      const Block block = test::random_block<16>(family, random);
      ASSERT_TRUE(equals_golden(block, factors)) << "family " << static_cast<int>(family);
    }
  }
}

TEST(Nvfp4Quantizer, AnyTwoFactorsThatAreNotNegative) {
  constexpr std::array<uint32_t, 10> kExtremes{0,          1,          0x007FFFFF, 0x00800000,
                                               kOne,       0x7F000000, 0x7F7FFFFF, 0x7F800000,
                                               0x7FC00000, 0x7F800001};
  std::mt19937 random(32);
  const auto factor = [&] {
    return random() % 3 == 0 ? kExtremes[random() % kExtremes.size()]
                             : static_cast<uint32_t>(random() & 0x7FFFFFFF);
  };
  for (int round = 0; round < 50'000; ++round) {
    for (const test::BlockFamily family : test::kBlockFamilies) {
      const Block block = test::random_block<16>(family, random);
      ASSERT_TRUE(equals_golden(block, {factor(), factor()}));
    }
  }
}

TEST(Nvfp4Quantizer, ElementsAroundTheirTies) {
  // A maximum that sets the scale, and values within a few units of multiples of a quarter step.
  std::mt19937 random(33);
  for (int round = 0; round < 100'000; ++round) {
    const uint32_t largest = ((20 + random() % 220) << 23) | (random() & 0x7FFFFF);
    const Nvfp4Factors factors = factors_of(tensor_largest(largest, random));
    const Nvfp4Unit lone = quantize_nvfp4_block({largest}, factors);
    const float step = 1 / bits_float(nvfp4_element_factor(lone.scale, factors.decode));
    Block block{largest};
    for (size_t i = 1; i < block.size(); ++i) {
      const uint32_t bits = float_bits(static_cast<float>(random() % 29) / 4 * step);
      block[i] = std::min(static_cast<uint32_t>(bits + random() % 7 - 3) & 0x7FFFFFFF, largest);
      block[i] |= random() & kFp32SignBit;
    }
    ASSERT_TRUE(equals_golden(block, factors)) << round;
  }
}

TEST(Nvfp4Quantizer, ATensorWhoseScaleIsOne) {
  // 2688 = 448 * 6: the block of the tensor's maximum gets the scale 448, one of 6 the scale 1.
  const Nvfp4Factors factors = factors_of(float_bits(2688.0F));
  EXPECT_EQ(factors.encode, kOne);
  EXPECT_EQ(factors.decode, kOne);
  EXPECT_EQ(quantize_nvfp4_block({float_bits(2688.0F)}, factors).scale, 0x7E);
  const Nvfp4Unit unit =
      quantize_nvfp4_block({float_bits(6.0F), float_bits(-5.0F), float_bits(-0.25F), 0x80000000,
                            float_bits(0.25F), float_bits(-1.75F)},
                           factors);
  EXPECT_EQ(unit.scale, 0x38);
  EXPECT_EQ(unit.codes, (std::array<uint8_t, 16>{7, 14, 8, 0, 0, 12}));
}

TEST(Nvfp4Quantizer, Specials) {
  constexpr uint32_t kMinusInfinity = 0xFF800000;
  const Nvfp4Factors unit{};
  // Zeros: the element factor is the largest number, yet every code is 0.
  EXPECT_EQ(pack(quantize_nvfp4_block({0, 0x80000000}, unit)), (std::array<uint8_t, 9>{}));
  // A scale that underflows to 0 leaves saturated codes.
  const Nvfp4Unit tiny = quantize_nvfp4_block({0x30000000, 0xB0000000}, unit);
  EXPECT_EQ(tiny.scale, 0);
  EXPECT_EQ(tiny.codes, (std::array<uint8_t, 16>{7, 15}));
  // An infinity saturates, numbers beside it are rounded under the largest scale.
  const Nvfp4Unit infinite = quantize_nvfp4_block({kMinusInfinity, float_bits(448.0F)}, unit);
  EXPECT_EQ(infinite.scale, 0x7E);
  EXPECT_EQ(infinite.codes, (std::array<uint8_t, 16>{15, 2}));
  // A NaN of either sign makes the block NaN, all codes 0.
  for (const uint32_t nan : {0x7F800001U, 0xFFFFFFFFU}) {
    const Nvfp4Unit block = quantize_nvfp4_block({kOne, kMinusInfinity, nan}, unit);
    EXPECT_EQ(block.scale, kUe4m3Nan);
    EXPECT_EQ(block.codes, (std::array<uint8_t, 16>{}));
  }
}

TEST(Ue4m3Rounding, EveryFieldAroundEveryCodeAndTie) {
  const auto differs = [](uint32_t bits) {
    return round_to_ue4m3(bits) != ue4m3_from_fp32(bits_float(bits));
  };
  for (uint32_t field = 0; field <= 255; ++field) {
    for (uint32_t sixteenth = 0; sixteenth < 16; ++sixteenth) {
      for (uint32_t offset = 0; offset < 5; ++offset) {
        const uint32_t bits = ((field << 23) | (sixteenth << 19)) + offset - 2;
        if (bits <= 0x7FFFFFFF) {
          ASSERT_FALSE(differs(bits)) << std::hex << bits;
        }
      }
    }
  }
  int different = 0;
  for (uint32_t bits = 0x3A000000; bits < 0x44000000; bits += 31) {
    different += differs(bits) ? 1 : 0;
  }
  EXPECT_EQ(different, 0);
}

TEST(Ue4m3Rounding, ASignBitDoesNotFit) { EXPECT_THROW(round_to_ue4m3(0x80000000), InternalError); }

TEST(Nvfp4ElementFactor, EveryScaleUnderEveryBinade) {
  for (int code = 0; code < kUe4m3Nan; ++code) {
    const auto scale = static_cast<float>(decode_double(kUe4m3Format, static_cast<uint32_t>(code)));
    for (uint32_t field = 0; field < 255; ++field) {
      for (const uint32_t fraction : {0U, 1U, 0x2AAAABU, 0x7FFFFFU}) {
        const uint32_t decode = (field << 23) | fraction;
        const float quotient = 1 / (scale * bits_float(decode));
        const uint32_t expected = std::min(float_bits(quotient), kFp32LargestFinite);
        ASSERT_EQ(nvfp4_element_factor(static_cast<uint8_t>(code), decode), expected)
            << code << ' ' << std::hex << decode;
      }
    }
  }
  EXPECT_EQ(nvfp4_element_factor(kUe4m3Nan, kOne), kFp32Nan);
  EXPECT_EQ(nvfp4_element_factor(0, kOne), kFp32LargestFinite);
}

TEST(Nvfp4Element, SignsAndSpecials) {
  EXPECT_EQ(round_to_nvfp4_element(0x00000000), 0);
  EXPECT_EQ(round_to_nvfp4_element(0x80000000), 0);
  EXPECT_EQ(round_to_nvfp4_element(0x00000001), 0);
  EXPECT_EQ(round_to_nvfp4_element(0x80000001), 8);
  EXPECT_EQ(round_to_nvfp4_element(0x7F800000), 7);
  EXPECT_EQ(round_to_nvfp4_element(0xFF800000), 15);
  EXPECT_EQ(round_to_nvfp4_element(0x7FC00000), 0);
  EXPECT_EQ(round_to_nvfp4_element(0xFFC00000), 0);
  EXPECT_EQ(round_to_nvfp4_element(float_bits(5.0F)), 6);
  EXPECT_EQ(round_to_nvfp4_element(float_bits(5.0F) + 1), 7);
}

}  // namespace
}  // namespace nibblecore::hw
