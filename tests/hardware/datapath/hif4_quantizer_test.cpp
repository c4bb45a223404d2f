// SPDX-License-Identifier: Apache-2.0
#include "hw/datapath/hif4_quantizer.hpp"

#include <cstring>
#include <random>

#include <gtest/gtest.h>

#include "model/common/bits.hpp"
#include "model/common/error.hpp"
#include "model/formats/e6m2.hpp"
#include "model/quantize/hif4.hpp"
#include "tests/support/random_blocks.hpp"
#include "tests/unit/quantize/vectors.hpp"

namespace nibblecore::hw {
namespace {

using Block = std::array<uint32_t, 64>;

Hif4Rule rule_of(const char* name) { return std::get<Hif4Rule>(preset(kHif4, name).rule); }

Hif4Unit golden(const Block& block, const Hif4Rule& rule) {
  std::array<float, 64> values{};
  std::memcpy(values.data(), block.data(), sizeof block);
  return quantize_hif4(values.data(), rule);
}

testing::AssertionResult equals_golden(const Block& block, const Hif4Rule& rule) {
  const Hif4Unit expected = golden(block, rule);
  const Hif4Unit unit = quantize_hif4_block(block, rule);
  if (pack_hif4_scale(unit) != pack_hif4_scale(expected)) {
    return testing::AssertionFailure()
           << std::hex << "scale word " << int{unit.e6m2} << ' ' << int{unit.e1_8} << ' '
           << unit.e1_16 << " for " << int{expected.e6m2} << ' ' << int{expected.e1_8} << ' '
           << expected.e1_16;
  }
  for (size_t i = 0; i < block.size(); ++i) {
    if (unit.codes[i] != expected.codes[i]) {
      return testing::AssertionFailure()
             << "code " << i << " is " << int{unit.codes[i]} << " for " << int{expected.codes[i]}
             << ", bits " << std::hex << block[i] << " under scale " << int{unit.e6m2};
    }
  }
  return testing::AssertionSuccess();
}

/// Both presets, and what else the parameters allow.
std::vector<Hif4Rule> all_rules() {
  std::vector<Hif4Rule> rules;
  for (const Precision input : {Precision::kAsFp32, Precision::kAsBf16}) {
    for (const Precision micro : {Precision::kAsFp32, Precision::kAsBf16}) {
      for (const Precision element : {Precision::kAsFp32, Precision::kAsBf16}) {
        for (const RoundingRecord& rounding : kDeterministicRoundings) {
          for (const ZeroSign sign : {ZeroSign::kKept, ZeroSign::kPositive}) {
            rules.push_back({input, micro, element, rounding.rounding, sign});
          }
        }
      }
    }
  }
  return rules;
}

TEST(Hif4Quantizer, EveryGoldenInputByEveryPreset) {
  const std::vector<uint32_t> inputs = vector_tensor<uint32_t>("hif4/inputs", "x");
  ASSERT_EQ(inputs.size(), 2722U * 64U);
  for (const char* const name : {"amct", "model_a6_rne"}) {
    for (size_t row = 0; row < inputs.size() / 64; ++row) {
      Block block{};
      std::copy_n(inputs.begin() + static_cast<std::ptrdiff_t>(64 * row), 64, block.begin());
      ASSERT_TRUE(equals_golden(block, rule_of(name))) << name << ", row " << row;
    }
  }
}

class Hif4QuantizerPreset : public testing::TestWithParam<const char*> {};

TEST_P(Hif4QuantizerPreset, RandomBlocks) {
  const Hif4Rule rule = rule_of(GetParam());
  std::mt19937 random(rule.input == Precision::kAsBf16 ? 60 : 61);
  for (int round = 0; round < 12'500; ++round) {
    for (const test::BlockFamily family : test::kBlockFamilies) {
      const Block block = test::random_block<64>(family, random);
      ASSERT_TRUE(equals_golden(block, rule))
          << "family " << static_cast<int>(family) << ", round " << round;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, Hif4QuantizerPreset, testing::Values("amct", "model_a6_rne"),
                         [](const testing::TestParamInfo<const char*>& test) {
                           return std::string(test.param);
                         });

TEST(Hif4Quantizer, EveryCombinationOfParameters) {
  std::mt19937 random(7);
  for (const Hif4Rule& rule : all_rules()) {
    for (int round = 0; round < 20; ++round) {
      for (const test::BlockFamily family : test::kBlockFamilies) {
        const Block block = test::random_block<64>(family, random);
        ASSERT_TRUE(equals_golden(block, rule)) << "family " << static_cast<int>(family);
      }
    }
  }
}

TEST(Hif4Quantizer, MicroExponentsAndElementsAroundTheirThresholds) {
  // Group maxima within a few units of the last place of 2X, 4X and of every tie of the quarters.
  std::mt19937 random(8);
  for (int round = 0; round < 10'000; ++round) {
    const uint32_t quarter_scale = 0x3E800000 + ((random() % 20) << 23);
    const uint32_t scale_mantissa = (random() % 4) << 21;
    const float step = bits_float(quarter_scale | scale_mantissa);
    Block block{};
    for (uint32_t& bits : block) {
      const auto halves_of_quarters = static_cast<float>(random() % 57);
      bits = float_bits(halves_of_quarters / 2 * step) + random() % 7 - 3;
      bits = (bits & 0x7FFFFFFF) | (random() & 0x80000000);
    }
    ASSERT_TRUE(equals_golden(block, rule_of("amct"))) << round;
    ASSERT_TRUE(equals_golden(block, rule_of("model_a6_rne"))) << round;
    for (uint32_t& bits : block) {
      bits &= 0xFFFF0000;
    }
    ASSERT_TRUE(equals_golden(block, rule_of("amct"))) << round;
    ASSERT_TRUE(equals_golden(block, rule_of("model_a6_rne"))) << round;
  }
}

TEST(Hif4Scale, EveryBf16Maximum) {
  for (uint32_t upper = 0; upper < 0x7F80; ++upper) {
    const uint32_t bits = upper << 16;
    ASSERT_EQ(hif4_scale_code(bits), golden(Block{bits}, rule_of("amct")).e6m2) << std::hex << bits;
  }
}

TEST(Hif4Scale, Fp32MaximaAroundEveryRoundingOfEveryStage) {
  // The product is rounded to FP32 before BF16. Significands where that alone decides are
  // 0xB6CB66 and 0xFD5EB0: their exact products lie just off a tie of BF16 that the rounding hits.
  const auto differs = [](uint32_t bits) {
    return hif4_scale_code(bits) != golden(Block{bits}, rule_of("amct")).e6m2;
  };
  for (uint32_t field = 1; field <= 254; ++field) {
    for (const uint32_t fraction : {0x36CB66U, 0x7D5EB0U}) {
      for (uint32_t offset = 0; offset < 3; ++offset) {
        ASSERT_FALSE(differs((field << 23) | (fraction - 1 + offset))) << field;
      }
    }
  }
  EXPECT_EQ(hif4_scale_code(0x40B6CB66), 0xBE);
  EXPECT_EQ(hif4_scale_code(0x40B6CB67), 0xBF);
  int different = 0;
  for (uint32_t fraction = 0; fraction < 0x800000; fraction += 61) {
    different += differs((129U << 23) | fraction) ? 1 : 0;
  }
  EXPECT_EQ(different, 0);
}

TEST(Hif4Reciprocal, EveryCode) {
  for (int code = 0; code < 255; ++code) {
    const auto byte = static_cast<uint8_t>(code);
    // 1 / X rounded to BF16 by the host.
    const auto reciprocal = static_cast<float>(1.0 / decode_double(kE6m2Format, byte));
    const uint32_t bits = float_bits(reciprocal);
    EXPECT_EQ(hif4_reciprocal(byte), (bits + 0x7FFF + ((bits >> 16) & 1)) >> 16) << code;
  }
}

TEST(Hif4Elements, TiesOfTheQuarters) {
  for (uint32_t quarters = 0; quarters < 8; ++quarters) {
    const float tie = (static_cast<float>(quarters) + 0.5F) / 4;
    const uint32_t even = std::min(quarters + quarters % 2, 7U);
    const uint32_t away = std::min(quarters + 1, 7U);
    for (int shift = 0; shift <= 2; ++shift) {
      const uint32_t bits = float_bits(tie * static_cast<float>(1 << shift));
      EXPECT_EQ(round_to_quarters(bits, shift, Rounding::kNearestEven), even) << tie;
      EXPECT_EQ(round_to_quarters(bits, shift, Rounding::kNearestAway), away) << tie;
      EXPECT_EQ(round_to_quarters(bits - 1, shift, Rounding::kNearestAway), quarters) << tie;
      EXPECT_EQ(round_to_quarters(bits + 1, shift, Rounding::kNearestEven), away) << tie;
    }
  }
  EXPECT_EQ(round_to_quarters(0x7F7FFFFF, 0, Rounding::kNearestEven), 7);
  EXPECT_EQ(round_to_quarters(1, 2, Rounding::kNearestAway), 0);
}

TEST(Hif4Elements, ASignBitDoesNotFit) {
  EXPECT_THROW(round_to_quarters(0x80000000, 0, Rounding::kNearestEven), InternalError);
}

}  // namespace
}  // namespace nibblecore::hw
