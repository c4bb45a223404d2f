// SPDX-License-Identifier: Apache-2.0
#include "model/quantize/mxfp4_peer_decode.hpp"

#include <cmath>
#include <limits>
#include <string>

#include <gtest/gtest.h>

#include "model/common/bits.hpp"
#include "model/formats/e2m1_unit.hpp"
#include "model/formats/e8m0.hpp"
#include "model/formats/preset.hpp"

namespace nibblecore {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kLargest = std::numeric_limits<float>::max();

float decoded(const std::string& name, uint8_t code, uint8_t scale) {
  return mxfp4_peer_decode(code, scale, std::get<Mxfp4Rule>(preset(kMxfp4, name).rule).quirks);
}

TEST(Mxfp4PeerDecode, IsThatOfTheCodesUnderOrdinaryScales) {
  for (const Preset& preset : presets()) {
    const auto* rule = std::get_if<Mxfp4Rule>(&preset.rule);
    if (rule == nullptr || rule->quirks.has(Mxfp4Quirk::kFp32Scale)) {
      continue;
    }
    for (int scale = 1; scale <= 252; ++scale) {
      for (uint8_t code = 0; code < 16; ++code) {
        const auto byte = static_cast<uint8_t>(scale);
        ASSERT_EQ(float_bits(mxfp4_peer_decode(code, byte, rule->quirks)),
                  float_bits(decode_e2m1(code, byte, kE8m0Format)))
            << preset.name << ", scale " << scale << ", code " << int{code};
      }
    }
  }
}

TEST(Mxfp4PeerDecode, Fp32Scale) {
  EXPECT_EQ(decoded("fpquant_mxfp4", 7, 129), 8.0F);
  EXPECT_EQ(decoded("fpquant_mxfp4", 14, 129), -0x1.555556p2F);
  EXPECT_EQ(float_bits(decoded("fpquant_mxfp4", 8, 129)), 0x80000000U);
  EXPECT_TRUE(std::isnan(decoded("fpquant_mxfp4", 0, 255)));
}

TEST(Mxfp4PeerDecode, Code0AsZero) {
  for (const std::string name : {"triton_kernels_round_up", "triton_kernels_round_down"}) {
    EXPECT_EQ(float_bits(decoded(name, 7, 0)), 0U);
    EXPECT_EQ(float_bits(decoded(name, 15, 0)), 0x80000000U);
  }
  EXPECT_EQ(decoded("aiter_ceil", 7, 0), 6 * 0x1p-127F);
}

TEST(Mxfp4PeerDecode, InfiniteScaleAndClamp) {
  EXPECT_EQ(decoded("triton_kernels_round_up", 6, 253), kLargest);
  EXPECT_EQ(decoded("triton_kernels_round_up", 14, 253), -kLargest);
  EXPECT_EQ(decoded("triton_kernels_round_up", 5, 253), 3 * 0x1p126F);
  EXPECT_EQ(decoded("triton_kernels_round_up", 15, 255), -kLargest);
  EXPECT_TRUE(std::isnan(decoded("triton_kernels_round_up", 0, 255)));
  EXPECT_EQ(decoded("aiter_round_up", 6, 253), kInfinity);
}

TEST(Mxfp4PeerDecode, ScaleCode255AsANumber) {
  EXPECT_EQ(decoded("ggml_mxfp4", 0, 255), 0.0F);
  EXPECT_EQ(decoded("ggml_mxfp4", 1, 255), 0x1p127F);
  EXPECT_EQ(decoded("ggml_mxfp4", 10, 255), -kInfinity);
  EXPECT_TRUE(std::isnan(decoded("te_pow2_ceil", 0, 255)));
}

}  // namespace
}  // namespace nibblecore
