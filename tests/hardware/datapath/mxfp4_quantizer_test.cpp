// SPDX-License-Identifier: Apache-2.0
#include "hw/datapath/mxfp4_quantizer.hpp"

#include <cstring>
#include <random>

#include <gtest/gtest.h>

#include "model/common/error.hpp"
#include "model/quantize/mxfp4.hpp"
#include "tests/support/random_blocks.hpp"
#include "tests/unit/quantize/vectors.hpp"

namespace nibblecore::hw {
namespace {

using Block = std::array<uint32_t, 32>;

Mxfp4Unit golden(const Block& block, const Mxfp4Rule& rule) {
  std::array<float, 32> values{};
  std::memcpy(values.data(), block.data(), sizeof block);
  return quantize_mxfp4(values.data(), rule);
}

testing::AssertionResult equals_golden(const Block& block, const Mxfp4Rule& rule) {
  const Mxfp4Unit expected = golden(block, rule);
  const Mxfp4Unit unit = quantize_mxfp4_block(block, rule);
  if (unit.scale != expected.scale) {
    return testing::AssertionFailure()
           << "scale " << int{unit.scale} << " for " << int{expected.scale};
  }
  for (size_t i = 0; i < block.size(); ++i) {
    if (unit.codes[i] != expected.codes[i]) {
      return testing::AssertionFailure()
             << "code " << i << " is " << int{unit.codes[i]} << " for " << int{expected.codes[i]}
             << ", bits " << std::hex << block[i] << " under scale " << int{unit.scale};
    }
  }
  return testing::AssertionSuccess();
}

TEST(Mxfp4Quantizer, EveryGoldenInputByEveryRuleAndRounding) {
  const std::vector<uint32_t> inputs = vector_tensor<uint32_t>("mxfp4/inputs", "x");
  ASSERT_EQ(inputs.size(), 2713U * 32U);
  for (const ScaleRuleRecord& scale : kExponentRules) {
    for (const RoundingRecord& rounding : kDeterministicRoundings) {
      for (size_t row = 0; row < inputs.size() / 32; ++row) {
        Block block{};
        std::copy_n(inputs.begin() + static_cast<std::ptrdiff_t>(32 * row), 32, block.begin());
        ASSERT_TRUE(equals_golden(block, {scale.rule, rounding.rounding, 3}))
            << scale.name << ", " << rounding.name << ", row " << row;
      }
    }
  }
}

class Mxfp4QuantizerRule : public testing::TestWithParam<ScaleRuleRecord> {};

TEST_P(Mxfp4QuantizerRule, RandomBlocks) {
  std::mt19937 random(40 + static_cast<uint32_t>(GetParam().rule));
  for (int round = 0; round < 6'000; ++round) {
    for (const test::BlockFamily family : test::kBlockFamilies) {
      const Block block = test::random_block<32>(family, random);
      ASSERT_TRUE(equals_golden(block, {GetParam().rule, Rounding::kNearestEven, 0}))
          << "family " << static_cast<int>(family) << ", round " << round;
    }
  }
}

TEST_P(Mxfp4QuantizerRule, ScaleAtEveryExponentAroundEveryBoundary) {
  for (uint32_t field = 0; field <= 255; ++field) {
    for (const uint32_t centre : {0x000002U, 0x200000U, 0x400000U, 0x600000U, 0x7FFFFDU}) {
      for (uint32_t fraction = centre - 2; fraction <= centre + 2; ++fraction) {
        const uint32_t bits = (field << 23) | fraction;
        ASSERT_EQ(mxfp4_scale_code(bits, GetParam().rule), mxfp4_scale(bits, GetParam().rule))
            << std::hex << bits;
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, Mxfp4QuantizerRule, testing::ValuesIn(kExponentRules),
                         [](const testing::TestParamInfo<ScaleRuleRecord>& test) {
                           return std::string(test.param.name);
                         });

TEST(Mxfp4Quantizer, ASignBitDoesNotFitTheScaleCircuit) {
  EXPECT_THROW(mxfp4_scale_code(0x80000000, ScaleRule::kFloor), InternalError);
}

}  // namespace
}  // namespace nibblecore::hw
