// SPDX-License-Identifier: Apache-2.0
#include "hw/datapath/residual.hpp"

#include <cmath>
#include <random>

#include <gtest/gtest.h>

#include "hw/datapath/hif4_quantizer.hpp"
#include "hw/datapath/mxfp4_quantizer.hpp"
#include "hw/datapath/nvfp4_quantizer.hpp"
#include "model/common/bits.hpp"
#include "model/common/error.hpp"
#include "model/formats/e8m0.hpp"
#include "model/formats/fp32.hpp"
#include "model/formats/preset.hpp"
#include "model/formats/ue4m3.hpp"
#include "tests/support/random_blocks.hpp"

namespace nibblecore::hw {
namespace {

/// The host's FP32 subtraction of the decoded value, with one NaN.
uint32_t host_difference(uint32_t bits, float decoded) {
  const float difference = bits_float(bits) - decoded;
  return std::isnan(difference) ? kFp32Nan : float_bits(difference);
}

TEST(Residual, OfMxfp4BlocksIsTheHostsDifference) {
  std::mt19937 random(11);
  for (const ScaleRuleRecord& record : kExponentRules) {
    for (int round = 0; round < 500; ++round) {
      for (const test::BlockFamily family : test::kBlockFamilies) {
        const auto values = test::random_block<32>(family, random);
        const Mxfp4Unit unit =
            quantize_mxfp4_block(values, {record.rule, Rounding::kNearestEven, 0});
        const auto differences = residual(values, unit);
        for (size_t i = 0; i < values.size(); ++i) {
          const float decoded = decode_e2m1(unit.codes[i], unit.scale, kE8m0Format);
          ASSERT_EQ(differences[i], host_difference(values[i], decoded)) << std::hex << values[i];
        }
      }
    }
  }
}

TEST(Residual, OfHif4UnitsIsTheHostsDifference) {
  std::mt19937 random(12);
  for (const char* const name : {"amct", "model_a6_rne"}) {
    for (int round = 0; round < 1000; ++round) {
      for (const test::BlockFamily family : test::kBlockFamilies) {
        const auto values = test::random_block<64>(family, random);
        const Hif4Unit unit =
            quantize_hif4_block(values, std::get<Hif4Rule>(preset(kHif4, name).rule));
        const auto differences = residual(values, unit);
        const auto decoded = decode(unit);
        for (size_t i = 0; i < values.size(); ++i) {
          ASSERT_EQ(differences[i], host_difference(values[i], decoded[i]))
              << std::hex << values[i];
        }
      }
    }
  }
}

TEST(Residual, OfNvfp4BlocksIsTheHostsDifferenceOrNan) {
  std::mt19937 random(17);
  const auto any_factor = [&] { return static_cast<uint32_t>(random() % 0x7F800000); };
  for (int round = 0; round < 20'000; ++round) {
    for (const test::BlockFamily family : test::kBlockFamilies) {
      const auto values = test::random_block<16>(family, random);
      // Factors of no tensor among them: products that underflow, ties and overflow.
      const Nvfp4Factors factors =
          random() % 2 == 0 ? Nvfp4Factors{any_factor(), any_factor()} : Nvfp4Factors{};
      const Nvfp4Unit unit = quantize_nvfp4_block(values, factors);
      const auto differences = residual(values, unit, factors.decode);
      for (size_t i = 0; i < values.size(); ++i) {
        const float decoded = decode_e2m1(unit.codes[i], unit.scale, kUe4m3Format);
        const uint32_t expected = host_difference(values[i], decoded * bits_float(factors.decode));
        ASSERT_EQ(differences[i], fp32_is_finite(expected) ? expected : kFp32Nan)
            << std::hex << values[i] << ", decode " << factors.decode;
      }
    }
  }
}

TEST(Residual, OfAnInfinityInAnNvfp4BlockIsNan) {
  const std::array<uint32_t, 16> values{0xFF800000, 0x3F800000};
  const Nvfp4Unit unit = quantize_nvfp4_block(values, {});
  EXPECT_EQ(unit.scale, 0x7E);
  const auto differences = residual(values, unit, Nvfp4Factors{}.decode);
  EXPECT_EQ(differences[0], kFp32Nan);
  EXPECT_EQ(differences[1], 0x3F800000);
  EXPECT_EQ(quantize_nvfp4_block(differences, {}).scale, kUe4m3Nan);
}

TEST(Residual, AnElementThatDecodesToInfinityMakesTheResidualNan) {
  std::array<uint32_t, 32> values{};
  values[7] = kFp32LargestFinite;
  const Mxfp4Rule rule{ScaleRule::kRceil, Rounding::kNearestEven, 0};
  const Mxfp4Unit unit = quantize_mxfp4_block(values, rule);
  EXPECT_EQ(unit.scale, 253);
  EXPECT_EQ(residual(values, unit)[7], 0xFF800000);
  EXPECT_EQ(quantize_mxfp4_block(residual(values, unit), rule).scale, kE8m0Nan);
}

TEST(Residual, ACodeOfMoreThanFourBitsDoesNotFit) {
  Hif4Unit unit;
  unit.e6m2 = 0xC3;
  unit.codes[0] = 7;
  EXPECT_EQ(residual(std::array<uint32_t, 64>{}, unit)[0], float_bits(-1.75F * 1.75F));
  unit.codes[0] = 16;
  EXPECT_THROW(residual(std::array<uint32_t, 64>{}, unit), InternalError);
}

}  // namespace
}  // namespace nibblecore::hw
