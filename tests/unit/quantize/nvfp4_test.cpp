// SPDX-License-Identifier: Apache-2.0
#include "model/quantize/nvfp4.hpp"

#include <algorithm>
#include <array>
#include <cfloat>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "model/common/bits.hpp"
#include "model/formats/fp32.hpp"
#include "model/quantize/quantize.hpp"

namespace nibblecore {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

/// The formula once more, written from its tensor-library form without the project's functions:
/// scales as values, casts as lists of thresholds, minima that pass a NaN on.
class Formula {
 public:
  explicit Formula(const std::vector<float>& tensor) {
    float largest = 0;
    for (const float x : tensor) {
      if (std::isnan(x) || std::isnan(largest)) {
        largest = kNan;
      } else {
        largest = std::fmax(largest, std::fabs(x));
      }
    }
    encode_ = minimum(2688.0F / largest, FLT_MAX);
    if (encode_ == 0.0F) {
      encode_ = 1.0F;
    }
    decode_ = 1.0F / encode_;
  }

  float decode() const { return decode_; }
  float encode() const { return encode_; }

  Nvfp4Unit block(const float* x) const {
    float largest = 0;
    for (int i = 0; i < 16; ++i) {
      largest =
          std::isnan(x[i]) || std::isnan(largest) ? kNan : std::fmax(largest, std::fabs(x[i]));
    }
    Nvfp4Unit unit;
    const float scale = e4m3(minimum(largest * (encode_ * (1.0F / 6.0F)), 448.0F), unit.scale);
    const float factor = minimum(1.0F / (scale * decode_), FLT_MAX);
    for (size_t i = 0; i < 16; ++i) {
      unit.codes[i] = e2m1(x[i] * factor);
    }
    return unit;
  }

 private:
  static float minimum(float a, float b) {
    if (std::isnan(a)) {
      return a;
    }
    return a < b ? a : b;
  }

  /// Nearest E4M3 number of 0 <= value <= 448, found among all of them; ties to the even code.
  static float e4m3(float value, uint8_t& code) {
    if (std::isnan(value)) {
      code = 0x7F;
      return value;
    }
    double best_distance = HUGE_VAL;
    double best = 0;
    for (int candidate = 0; candidate <= 0x7E; ++candidate) {
      const int exponent = candidate >> 3;
      const int mantissa = candidate & 7;
      const double number =
          exponent == 0 ? std::ldexp(mantissa, -9) : std::ldexp(8 + mantissa, exponent - 10);
      const double distance = std::fabs(number - static_cast<double>(value));
      if (distance < best_distance || (distance == best_distance && candidate % 2 == 0)) {
        best_distance = distance;
        best = number;
        code = static_cast<uint8_t>(candidate);
      }
    }
    return static_cast<float>(best);
  }

  static uint8_t e2m1(float x) {
    if (x >= 0.0F && x <= 0.25F) return 0;
    if (x > 0.25F && x < 0.75F) return 1;
    if (x >= 0.75F && x <= 1.25F) return 2;
    if (x > 1.25F && x < 1.75F) return 3;
    if (x >= 1.75F && x <= 2.5F) return 4;
    if (x > 2.5F && x < 3.5F) return 5;
    if (x >= 3.5F && x <= 5.0F) return 6;
    if (x > 5.0F) return 7;
    if (x >= -0.25F && x < 0.0F) return 8;
    if (x < -0.25F && x > -0.75F) return 9;
    if (x <= -0.75F && x >= -1.25F) return 10;
    if (x < -1.25F && x > -1.75F) return 11;
    if (x <= -1.75F && x >= -2.5F) return 12;
    if (x < -2.5F && x > -3.5F) return 13;
    if (x <= -3.5F && x >= -5.0F) return 14;
    if (x < -5.0F) return 15;
    return 0;
  }

  float encode_;
  float decode_;
};

/// Compares the whole path, matrix to packed codes, with the formula. Columns: a multiple of 16.
void expect_formula(const std::vector<float>& tensor, int64_t columns) {
  const auto rows = static_cast<int64_t>(tensor.size()) / columns;
  const PackedMatrix packed =
      quantize(row_major_view(tensor.data(), rows, columns), preset(kNvfp4, ""), 1);
  const Formula formula(tensor);
  if (std::isnan(formula.decode())) {
    ASSERT_TRUE(std::isnan(packed.tensor_scale));
  } else {
    ASSERT_EQ(float_bits(packed.tensor_scale), float_bits(formula.decode()));
  }
  for (int64_t row = 0; row < rows; ++row) {
    for (int64_t block = 0; block < columns / 16; ++block) {
      const Nvfp4Unit expected = formula.block(tensor.data() + row * columns + block * 16);
      ASSERT_EQ(packed.row_scales(row)[block], expected.scale) << row << "," << block;
      for (int64_t i = 0; i < 16; ++i) {
        ASSERT_EQ(packed_code(packed.row_codes(row), block * 16 + i),
                  expected.codes[static_cast<size_t>(i)])
            << row << "," << block << "," << i;
      }
    }
  }
}

std::vector<float> normal_values(std::mt19937& engine, size_t count, float sigma) {
  std::normal_distribution<float> distribution(0.0F, sigma);
  std::vector<float> values(count);
  std::generate(values.begin(), values.end(), [&] { return distribution(engine); });
  return values;
}

TEST(Nvfp4Formula, RandomTensors) {
  std::mt19937 engine(20260717);
  for (const float sigma : {1e-40F, 1e-37F, 1e-20F, 1e-3F, 1.0F, 300.0F, 1e20F, 5e37F}) {
    expect_formula(normal_values(engine, size_t{64} * 160, sigma), 160);
  }
}

TEST(Nvfp4Formula, BlocksOfManyMagnitudes) {
  // Each block has its own power of two, so block scales run from 448 to 0 and through subnormals.
  std::mt19937 engine(7);
  std::vector<float> values = normal_values(engine, size_t{64} * 160, 1.0F);
  for (size_t i = 0; i < values.size(); ++i) {
    values[i] = std::ldexp(values[i], -static_cast<int>(i / 16 % 40));
    values[i] = i % 29 == 0 ? -0.0F : values[i];
  }
  expect_formula(values, 160);
}

TEST(Nvfp4Formula, RandomBits) {
  std::mt19937 engine(11);
  for (int tensor = 0; tensor < 50; ++tensor) {
    std::vector<float> values(320);
    for (float& value : values) {
      const uint32_t bits = engine();
      // Even tensors are all finite; odd ones hold NaN and infinity somewhere.
      value = bits_float(tensor % 2 == 0 && !fp32_is_finite(bits) ? bits ^ 0x40000000 : bits);
    }
    expect_formula(values, 32);
  }
}

TEST(Nvfp4Formula, ExtremeTensors) {
  const float subnormal = std::numeric_limits<float>::denorm_min();
  std::mt19937 engine(3);
  for (const float extreme : {0.0F, -0.0F, subnormal, -subnormal, FLT_MIN, -FLT_MIN, FLT_MAX,
                              -FLT_MAX, kInfinity, -kInfinity, kNan, 2688.0F, 6.0F}) {
    std::vector<float> alone(32);
    alone[21] = extreme;
    expect_formula(alone, 32);
    std::vector<float> among_others = normal_values(engine, 64, 1.0F);
    among_others[21] = extreme;
    expect_formula(among_others, 32);
    expect_formula(std::vector<float>(48, extreme), 16);
  }
}

TEST(Nvfp4TensorScale, Ends) {
  EXPECT_EQ(nvfp4_tensor_scale(2688.0F).encode, 1.0F);
  EXPECT_EQ(nvfp4_tensor_scale(2688.0F).decode, 1.0F);
  EXPECT_EQ(nvfp4_tensor_scale(1344.0F).encode, 2.0F);
  EXPECT_EQ(nvfp4_tensor_scale(0.0F).encode, FLT_MAX);
  EXPECT_EQ(float_bits(nvfp4_tensor_scale(0.0F).decode), 0x00200000U);
  EXPECT_EQ(nvfp4_tensor_scale(FLT_MIN / 2).encode, FLT_MAX);
  EXPECT_EQ(nvfp4_tensor_scale(kInfinity).encode, 1.0F);
  EXPECT_EQ(nvfp4_tensor_scale(kInfinity).decode, 1.0F);
  EXPECT_TRUE(std::isnan(nvfp4_tensor_scale(kNan).encode));
  EXPECT_TRUE(std::isnan(nvfp4_tensor_scale(kNan).decode));
}

TEST(Nvfp4Ue4m3, Casts) {
  EXPECT_EQ(ue4m3_from_fp32(448.0F), 0x7E);
  EXPECT_EQ(ue4m3_from_fp32(464.0F), 0x7E);
  EXPECT_EQ(ue4m3_from_fp32(465.0F), 0x7E);
  EXPECT_EQ(ue4m3_from_fp32(480.0F), 0x7E);
  EXPECT_EQ(ue4m3_from_fp32(kInfinity), 0x7E);
  EXPECT_EQ(ue4m3_from_fp32(432.0F), 0x7E);                        // tie of 416 and 448
  EXPECT_EQ(ue4m3_from_fp32(std::nextafter(432.0F, 0.0F)), 0x7D);  // just under it
  EXPECT_EQ(ue4m3_from_fp32(248.0F), 0x78);                        // tie carries to 256
  EXPECT_EQ(ue4m3_from_fp32(1.0F), 0x38);
  EXPECT_EQ(ue4m3_from_fp32(0x1p-6F), 0x08);
  EXPECT_EQ(ue4m3_from_fp32(0x1p-9F), 0x01);
  EXPECT_EQ(ue4m3_from_fp32(0x1p-10F), 0x00);  // tie of 0 and 2^-9
  EXPECT_EQ(ue4m3_from_fp32(std::nextafter(0x1p-10F, 1.0F)), 0x01);
  EXPECT_EQ(ue4m3_from_fp32(0x3p-10F), 0x02);  // tie of 2^-9 and 2^-8
  EXPECT_EQ(ue4m3_from_fp32(0.0F), 0x00);
  EXPECT_EQ(ue4m3_from_fp32(kNan), 0x7F);
}

TEST(Nvfp4Quantize, UnitTensorScale) {
  const std::array<float, 16> values{6,    -6,    5.0F,  -5.0F,  2.5F,  -2.5F, 0.25F, -0.25F,
                                     0.0F, -0.0F, 0.26F, -0.01F, 0.75F, 1.25F, 3.5F,  1.75F};
  const Nvfp4Unit unit = quantize_nvfp4(values.data(), {1.0F, 1.0F});
  EXPECT_EQ(unit.scale, 0x38);
  // A negative product that rounds to zero keeps its sign, -0 does not.
  EXPECT_EQ(unit.codes,
            (std::array<uint8_t, 16>{7, 15, 6, 14, 4, 12, 0, 8, 0, 0, 1, 8, 2, 2, 6, 4}));
}

TEST(Nvfp4Quantize, OneSixthIsFoldedIntoTheTensorFactor) {
  // 1.125 * fl(896 * fl(1/6)) = 168.000015, above the tie of 160 and 176; every other order of
  // these operations gives 168 and the even 160.
  const std::array<float, 16> values{1.125F};
  const Nvfp4TensorScale scale = nvfp4_tensor_scale(3.0F);
  EXPECT_EQ(scale.encode, 896.0F);
  EXPECT_EQ(quantize_nvfp4(values.data(), scale).scale, 0x73);
}

TEST(Nvfp4Quantize, ElementsAreMultipliedByARoundedReciprocal) {
  // The product is just under 0.75, the quotient would be the tie that goes to 1.
  const std::array<float, 16> values{0.078125F, bits_float(0x3C249249)};
  const Nvfp4Unit unit = quantize_nvfp4(values.data(), nvfp4_tensor_scale(1.0F));
  EXPECT_EQ(unit.scale, 0x61);
  EXPECT_EQ(unit.codes[1], 1);
}

TEST(Nvfp4Quantize, BlockScaleThatUnderflowsSaturatesItsElements) {
  std::array<float, 16> values{};
  values[0] = 0x1p-11F;
  values[1] = -0x1p-13F;
  const Nvfp4Unit unit = quantize_nvfp4(values.data(), {1.0F, 1.0F});
  EXPECT_EQ(unit.scale, 0x00);
  EXPECT_EQ(unit.codes[0], 7);
  EXPECT_EQ(unit.codes[1], 15);
  EXPECT_EQ(unit.codes[2], 0);
}

TEST(Nvfp4Quantize, NanReachesEveryBlockOfTheTensor) {
  std::vector<float> values(64, -1.0F);
  values[63] = -kNan;
  const PackedMatrix packed =
      quantize(row_major_view(values.data(), 2, 32), preset(kNvfp4, "te_nvfp4"), 1);
  EXPECT_TRUE(std::isnan(packed.tensor_scale));
  EXPECT_EQ(packed.scales, std::vector<uint8_t>(4, 0x7F));
  EXPECT_EQ(packed.codes, std::vector<uint8_t>(32, 0));
}

TEST(Nvfp4Quantize, InfinityTurnsTheTensorScaleOff) {
  std::vector<float> values(32, 6.0F);
  values[3] = -kInfinity;
  const PackedMatrix packed = quantize(row_major_view(values.data(), 1, 32), preset(kNvfp4, ""), 1);
  EXPECT_EQ(packed.tensor_scale, 1.0F);
  EXPECT_EQ(packed.scales, (std::vector<uint8_t>{0x7E, 0x38}));
  EXPECT_EQ(packed_code(packed.row_codes(0), 3), 15);
  EXPECT_EQ(packed_code(packed.row_codes(0), 4), 0);  // 6 / 448 rounds to zero
  EXPECT_EQ(packed_code(packed.row_codes(0), 16), 7);
}

}  // namespace
}  // namespace nibblecore
