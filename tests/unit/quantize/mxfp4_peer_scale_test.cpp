// SPDX-License-Identifier: Apache-2.0
#include "model/quantize/mxfp4_peer_scale.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "model/common/bits.hpp"
#include "model/formats/e8m0.hpp"
#include "model/formats/fp32.hpp"
#include "model/formats/preset.hpp"
#include "model/quantize/mxfp4.hpp"
#include "model/quantize/mxfp4_log2f.hpp"

namespace nibblecore {
namespace {

Mxfp4Rule rule_of(const std::string& name) {
  return std::get<Mxfp4Rule>(preset(kMxfp4, name).rule);
}

int code_of(const std::string& name, uint32_t largest) {
  return mxfp4_peer_scale(largest, rule_of(name));
}

/// Magnitudes at every exponent: powers of two, significands of 1.5 and 1.75, and the two
/// neighbours of each.
std::vector<uint32_t> boundaries() {
  std::vector<uint32_t> bits;
  for (uint32_t field = 0; field <= 254; ++field) {
    for (const uint32_t fraction : {0x000000U, 0x000001U, 0x3FFFFFU, 0x400000U, 0x400001U,
                                    0x5FFFFFU, 0x600000U, 0x600001U, 0x7FFFFFU}) {
      bits.push_back(field << 23 | fraction);
    }
  }
  return bits;
}

/// The magnitudes among `candidates` where a preset's code is not that of its rule.
std::vector<uint32_t> departures(const std::string& name, const std::vector<uint32_t>& candidates) {
  std::vector<uint32_t> result;
  const Mxfp4Rule rule = rule_of(name);
  std::copy_if(candidates.begin(), candidates.end(), std::back_inserter(result),
               [&](uint32_t largest) {
                 return mxfp4_peer_scale(largest, rule) != mxfp4_scale(largest, rule.scale);
               });
  return result;
}

using Bits = std::vector<uint32_t>;

TEST(Mxfp4PeerScale, QuotientsDepartFromTheRuleOnlyNearTheBottom) {
  EXPECT_EQ(departures("torchao_rceil", {0x013FFFFF, 0x01400000, 0x01400001, 0x01400002}),
            Bits{0x01400001});
  EXPECT_EQ(departures("torchao_rceil", boundaries()), Bits{0x01400001});
  EXPECT_EQ(departures("aiter_round_down", boundaries()), Bits{0x017FFFFF});
  // A sixth of any smaller magnitude is subnormal but not 0: code 1 where the rule has 0.
  for (const uint32_t largest : departures("aiter_round_up", boundaries())) {
    EXPECT_LE(largest, 0x01400000U);
    EXPECT_EQ(code_of("aiter_round_up", largest), 1);
  }
  for (const uint32_t largest : departures("aiter_ceil", boundaries())) {
    EXPECT_LE(largest, 0x01000000U);
    EXPECT_EQ(code_of("aiter_ceil", largest), 1);
  }
  EXPECT_EQ(code_of("aiter_round_up", 3), 0);  // 3 / 6 of the smallest subnormal is a tie to 0
  EXPECT_EQ(code_of("aiter_round_up", 4), 1);
  EXPECT_EQ(code_of("triton_kernels_round_up", 0x00400000), 1);
  EXPECT_EQ(departures("triton_kernels_round_down", boundaries()), Bits{0x017FFFFF});
}

TEST(Mxfp4PeerScale, EvenOverflowsFromSignificand175OfTheLastExponent) {
  for (const std::string name : {"torchao_even", "aiter_even"}) {
    EXPECT_EQ(departures(name, boundaries()), (Bits{0x7F600000, 0x7F600001, 0x7F7FFFFF})) << name;
    EXPECT_EQ(code_of(name, 0x7F5FFFFF), 252);
    EXPECT_EQ(code_of(name, 0x7F600000), kE8m0Nan);
  }
}

/// For 2^first to 2^last: how many units in the last place below log2f still gives the exponent.
struct Slip {
  int first;
  int last;
  uint32_t ulps;
};
constexpr std::array<Slip, 14> kSlips{{{-126, -126, 22},
                                       {-125, -64, 44},
                                       {-63, -32, 22},
                                       {-31, -16, 11},
                                       {-15, -8, 5},
                                       {-7, -4, 2},
                                       {-3, -2, 1},
                                       {-1, 2, 0},
                                       {3, 4, 1},
                                       {5, 8, 2},
                                       {9, 16, 5},
                                       {17, 32, 11},
                                       {33, 64, 22},
                                       {65, 128, 44}}};

TEST(Mxfp4PeerScale, Log2fSlipsUpJustBelowPowersOfTwo) {
  for (const Slip& slip : kSlips) {
    for (int n = slip.first; n <= slip.last; ++n) {
      const uint32_t power = static_cast<uint32_t>(n + 127) << 23;
      if (n < 128) {
        EXPECT_EQ(floor_log2f(bits_float(power)), n);
      }
      for (uint32_t ulps = 1; ulps <= 100; ++ulps) {
        ASSERT_EQ(floor_log2f(bits_float(power - ulps)), ulps <= slip.ulps ? n : n - 1)
            << ulps << " below 2^" << n;
      }
    }
  }
}

TEST(Mxfp4PeerScale, Log2fRules) {
  const uint32_t below_8 = float_bits(8.0F) - 1;
  EXPECT_EQ(code_of("microxcaling_torch_even", below_8), 128);
  EXPECT_EQ(code_of("microxcaling_torch_even", below_8 - 1), 127);
  EXPECT_EQ(code_of("microxcaling_cpp_even", below_8), 127);
  EXPECT_EQ(code_of("gfloat_amax_float32", kFp32LargestFinite), 253);
  EXPECT_EQ(code_of("gfloat_amax_float64", kFp32LargestFinite), 252);
  EXPECT_EQ(code_of("fpquant_mxfp4", below_8), 130);
  EXPECT_EQ(code_of("fpquant_mxfp4", kFp32LargestFinite), 254);
  EXPECT_EQ(code_of("fpquant_mxfp4", 0), 1);
  EXPECT_EQ(code_of("fpquant_mxfp4", 1), 1);
  EXPECT_EQ(code_of("microxcaling_torch_even", 1), 0);
  EXPECT_EQ(code_of("microxcaling_torch_even", 0), 0);
}

TEST(Mxfp4PeerScale, GgmlWrapsBelowZero) {
  EXPECT_EQ(code_of("ggml_mxfp4", 0), 0);
  EXPECT_EQ(code_of("ggml_mxfp4", float_bits(0x1p-125F)), 0);
  EXPECT_EQ(code_of("ggml_mxfp4", float_bits(0x1p-126F)), 255);
  EXPECT_EQ(code_of("ggml_mxfp4", float_bits(0x1p-127F)), 254);
  EXPECT_EQ(code_of("ggml_mxfp4", 1), 256 - 149 + 125);
  EXPECT_EQ(code_of("ggml_mxfp4", kFp32Infinity), 0);
}

// A sixth of 1.5 * 2^n and one unit is just above a power of two; log2f may lose that.
TEST(Mxfp4PeerScale, TransformerEngineSlipsDownJustAboveSignificand15) {
  for (int n = -120; n <= 126; ++n) {
    const uint32_t largest = (static_cast<uint32_t>(n + 127) << 23 | 0x400000) + 1;
    const int exact = mxfp4_scale(largest, ScaleRule::kRceil);
    EXPECT_EQ(code_of("te_pow2_ceil", largest), n <= -3 || n >= 6 ? exact - 1 : exact) << n;
    EXPECT_EQ(code_of("te_pow2_ceil", largest - 1), mxfp4_scale(largest - 1, ScaleRule::kRceil));
  }
  EXPECT_EQ(code_of("te_pow2_ceil", 1), 0);
  EXPECT_EQ(code_of("te_pow2_ceil", 0), 0);
}

TEST(Mxfp4PeerScale, NotFinite) {
  constexpr uint32_t kNan = 0x7FFFFFFF;
  for (const std::string name :
       {"torchao_rceil", "aiter_ceil", "microxcaling_torch_floor", "microxcaling_cpp_floor",
        "fpquant_mxfp4", "te_pow2_ceil", "triton_kernels_round_down"}) {
    EXPECT_EQ(code_of(name, kNan), kE8m0Nan) << name;
  }
  for (const std::string name : {"gfloat_amax_float64", "triton_kernels_round_up"}) {
    EXPECT_EQ(code_of(name, kNan), 0) << name;
  }
  for (const std::string name : {"gfloat_amax_float32", "te_pow2_ceil"}) {
    EXPECT_EQ(code_of(name, kFp32Infinity), 254) << name;
  }
  EXPECT_EQ(code_of("triton_kernels_round_up", kFp32Infinity), kE8m0Nan);
}

TEST(Mxfp4PeerScale, Fp32ScaleIsFourThirdsOfAQuarter) {
  EXPECT_EQ(mxfp4_fp32_scale(129), 0x1.555556p0F);
  EXPECT_EQ(mxfp4_fp32_scale(254), 0x1.555556p125F);
  EXPECT_EQ(float_bits(mxfp4_fp32_scale(1)), 0x002AAAABU);  // subnormal: 2^21 / 0.75, rounded
}

}  // namespace
}  // namespace nibblecore
