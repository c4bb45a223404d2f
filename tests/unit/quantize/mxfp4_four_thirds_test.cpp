// SPDX-License-Identifier: Apache-2.0
// The scale rule four_thirds: codes of three scales, and the tensor scale FP32(1/3).
#include <array>
#include <cmath>
#include <limits>
#include <vector>

#include <gtest/gtest.h>

#include "model/common/bits.hpp"
#include "model/common/error.hpp"
#include "model/formats/dequantize.hpp"
#include "model/formats/e2m1_unit.hpp"
#include "model/formats/e8m0.hpp"
#include "model/formats/fp32.hpp"
#include "model/quantize/mxfp4.hpp"
#include "model/quantize/mxfp4_peer_decode.hpp"
#include "model/quantize/quantize.hpp"
#include "model/quantize/residual.hpp"
#include "model/reference/gemm.hpp"

namespace nibblecore {
namespace {

constexpr float kOneThird = 0x1.555556p-2F;

PackedMatrix quantize_row(const std::vector<float>& row) {
  return quantize(row_major_view(row.data(), 1, static_cast<int64_t>(row.size())),
                  preset(kMxfp4, "four_thirds"), 1);
}

struct Example {
  uint32_t largest;
  int code;
  float decoded;
};

TEST(Mxfp4FourThirds, WorkedExamples) {
  // 3, 3.75, 4.5, 4.875, 5.25 and just under 6 scales of 4/3.
  const std::array<Example, 6> examples{{{float_bits(4.0F), 5, 4},
                                         {float_bits(5.0F), 6, 0x1.555556p2F},
                                         {float_bits(6.0F), 6, 0x1.555556p2F},
                                         {float_bits(6.5F), 6, 0x1.555556p2F},
                                         {float_bits(7.0F), 7, 8},
                                         {0x40FFFFFF, 7, 8}}};
  for (const Example& example : examples) {
    const PackedMatrix packed = quantize_row({bits_float(example.largest)});
    EXPECT_EQ(packed.scales.front(), 129);
    EXPECT_EQ(packed.codes.front(), example.code);
    EXPECT_EQ(packed.tensor_scale, kOneThird);
    float decoded = 0;
    dequantize(packed, &decoded);
    EXPECT_EQ(decoded, example.decoded);
  }
}

TEST(Mxfp4FourThirds, CodeIsTheExponentFieldButNever0) {
  for (uint32_t field = 0; field <= 254; ++field) {
    for (const uint32_t fraction : {0x000000U, 0x000001U, 0x400000U, 0x600000U, 0x7FFFFFU}) {
      EXPECT_EQ(mxfp4_scale(field << 23 | fraction, ScaleRule::kFourThirds),
                field == 0 ? 1 : field);
    }
  }
}

// With s = 2^E / 3 the limits between codes are at multiples of 2^E / 12. Only the one between
// codes 1 and 2 is a number of the format, 2^E / 4: a tie. All others have a nearest number on
// either side.
TEST(Mxfp4FourThirds, ElementsRoundExactlyUnderEveryScale) {
  constexpr std::array<double, 7> kMidpoints{.25, .75, 1.25, 1.75, 2.5, 3.5, 5.0};
  for (int field = 3; field <= 253; ++field) {
    const auto largest = static_cast<float>(std::ldexp(1.0, field - 127));
    for (size_t i = 0; i < kMidpoints.size(); ++i) {
      const double limit = kMidpoints[i] / 3 * static_cast<double>(largest);
      auto below = static_cast<float>(limit);
      if (static_cast<double>(below) >= limit) {
        below = std::nextafter(below, 0.0F);
      }
      if (i == 1) {
        EXPECT_EQ(quantize_row({1.5F * largest, largest / 4}).codes.front() >> 4, 2);
        below = std::nextafter(largest / 4, 0.0F);
      }
      // The pair's largest magnitude keeps the scale.
      std::vector<float> row{1.5F * largest, below};
      EXPECT_EQ(quantize_row(row).scales.front(), field);
      EXPECT_EQ(quantize_row(row).codes.front() >> 4, i) << field;
      row[1] = i == 1 ? std::nextafter(largest / 4, 1e38F)
                      : std::nextafter(below, std::numeric_limits<float>::max());
      EXPECT_EQ(quantize_row(row).codes.front() >> 4, i + 1) << field;
    }
  }
}

// FP-Quant multiplies by RNE(2^(E-2) / 0.75) once, code and factor multiply twice. Where both are
// normal numbers the bits are equal. They differ where the peer's scale is subnormal and itself
// rounded, and where the code's value is beyond FP32 but a third of it is not.
TEST(Mxfp4FourThirds, CodeTimesAThirdEqualsThePeersFp32Scale) {
  const Mxfp4Quirks peer{Mxfp4Quirk::kFp32Scale};
  int different_low = 0;
  int different_high = 0;
  for (int scale = 1; scale <= 254; ++scale) {
    for (uint8_t code = 0; code < 16; ++code) {
      const float ours = decode_e2m1(code, static_cast<uint8_t>(scale), kE8m0Format) * kOneThird;
      const float theirs = mxfp4_peer_decode(code, static_cast<uint8_t>(scale), peer);
      if (float_bits(ours) != float_bits(theirs)) {
        EXPECT_TRUE(scale <= 2 || scale >= 253) << scale;
        if (scale >= 253) {
          EXPECT_TRUE(std::isinf(ours) && std::isfinite(theirs));
          ++different_high;
        } else {
          ++different_low;
        }
      }
    }
  }
  EXPECT_EQ(different_high, 2 * (2 + 3));  // 4 and 6 under 253; 2, 3 and 4 under 254
  EXPECT_EQ(different_low, 20);
}

TEST(Mxfp4FourThirds, ZeroAndNotFiniteBlocks) {
  EXPECT_EQ(quantize_row({0, -0.0F}).scales.front(), 1);
  EXPECT_EQ(quantize_row({0, -0.0F}).codes.front(), 0x80);
  EXPECT_EQ(quantize_row({1, HUGE_VALF}).scales.front(), kE8m0Nan);
}

TEST(Mxfp4FourThirds, GemmAppliesTheFactorAtTheEnd) {
  const PackedMatrix a = quantize_row({4, 7});
  const std::array<float, 2> ones{1, 1};
  const PackedMatrix b = quantize(row_major_view(ones.data(), 1, 2), preset(kMxfp4, "rceil"), 1);
  uint32_t d = 0;
  reference_gemm(a, b, Accumulation::kFp32Rne, nullptr, &d, 1);
  EXPECT_EQ(d, float_bits(12.0F));
  reference_gemm(a, a, Accumulation::kFp32Rne, nullptr, &d, 1);
  // 720 under the codes' scales, times RNE(1/9).
  EXPECT_EQ(d, float_bits(720 * (kOneThird * kOneThird)));
}

TEST(Mxfp4FourThirds, ResidualHasTheSameFactor) {
  const std::vector<float> row{5, 1};
  const MatrixView view = row_major_view(row.data(), 1, 2);
  const Preset& four_thirds = preset(kMxfp4, "four_thirds");
  PackedMatrix main = quantize(view, four_thirds, 1);
  const PackedMatrix residual = quantize_residual(view, main, four_thirds, 1);
  EXPECT_EQ(residual.tensor_scale, kOneThird);
  std::array<float, 2> rest{};
  dequantize(residual, rest.data());
  EXPECT_LT(rest[0], 0);  // 5 - 5.333
  main.tensor_scale = 1;
  EXPECT_THROW(quantize_residual(view, main, four_thirds, 1), InternalError);
}

}  // namespace
}  // namespace nibblecore
