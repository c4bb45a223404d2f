// SPDX-License-Identifier: Apache-2.0
// NVFP4 presets of which there is only a published formula: once more in the form of their source,
// without the project's functions.
#include <algorithm>
#include <array>
#include <cfloat>
#include <cmath>
#include <functional>
#include <limits>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "model/common/bits.hpp"
#include "model/formats/dequantize.hpp"
#include "model/formats/fp32.hpp"
#include "model/quantize/quantize.hpp"

namespace nibblecore {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr int64_t kColumns = 160;
constexpr int64_t kBlock = 16;

struct Quantized {
  PackedMatrix packed;
  std::vector<float> decoded;
};

Quantized quantized(const std::vector<float>& tensor, const char* name) {
  std::vector<float> decoded(tensor.size());
  const int64_t columns = std::min<int64_t>(kColumns, static_cast<int64_t>(tensor.size()));
  const auto rows = static_cast<int64_t>(tensor.size()) / columns;
  PackedMatrix packed = quantize(row_major_view(tensor.data(), rows, columns), preset(kNvfp4, name),
                                 1, decoded.data());
  return {std::move(packed), std::move(decoded)};
}

float largest_of(const float* values, size_t count) {
  float largest = 0;
  for (size_t i = 0; i < count; ++i) {
    largest = std::fmax(largest, std::fabs(values[i]));
  }
  return largest;
}

/// Tensors of many magnitudes; each block has a power of two of its own.
std::vector<std::vector<float>> tensors() {
  std::mt19937 engine(29);
  std::vector<std::vector<float>> result;
  for (const float sigma : {1e-40F, 1e-20F, 3e-4F, 0.7F, 1.0F, 1000.0F, 1e20F}) {
    std::normal_distribution<float> normal(0.0F, sigma);
    for (const int spread : {1, 30}) {
      std::vector<float> values(size_t{kColumns} * 40);
      for (size_t i = 0; i < values.size(); ++i) {
        const int power = static_cast<int>(i / kBlock) % spread;
        values[i] = i % 37 == 0 ? -0.0F : std::ldexp(normal(engine), -power);
      }
      result.push_back(std::move(values));
    }
  }
  // On the grid of the elements and halfway between: every tie.
  std::vector<float> ties(size_t{kColumns} * 4);
  for (size_t i = 0; i < ties.size(); ++i) {
    const int quarters = static_cast<int>(engine() % 49) - 24;
    ties[i] = i % kBlock == 0 ? 6.0F : static_cast<float>(quarters) / 4;
  }
  result.push_back(std::move(ties));
  return result;
}

/// To_NVF4 of the script for one block: the values that it restores.
std::array<double, kBlock> script_block(const double* x) {
  double largest = 0;
  for (int64_t i = 0; i < kBlock; ++i) {
    largest = std::fmax(largest, std::fabs(x[i]));
  }
  double sf = largest / 6;
  sf = sf > 448 ? 448 : sf;
  double exponent = std::floor(std::log2(sf + 0x1p-1000));
  exponent = exponent < -6 ? -6 : exponent;
  const double e4m3 = std::nearbyint(sf * std::exp2(-exponent + 3)) * std::exp2(-3 + exponent);
  std::array<double, kBlock> result{};
  for (int64_t i = 0; i < kBlock; ++i) {
    const double in_group = std::fabs(x[i]) / (e4m3 + 0x1p-1000);
    double e2 = std::floor(std::log2(in_group + 0x1p-1000));
    e2 = e2 < 0 ? 0 : e2;
    double e2m1 = std::exp2(e2) * (std::nearbyint(in_group * std::exp2(-e2 + 1)) / 2);
    e2m1 = e2m1 > 6 ? 6 : e2m1;
    result.at(static_cast<size_t>(i)) = (x[i] < 0 ? -1 : 1) * e2m1 * e4m3;
  }
  return result;
}

void expect_script(const std::vector<float>& tensor, const char* name, double divisor) {
  const Quantized ours = quantized(tensor, name);
  for (size_t first = 0; first < tensor.size(); first += kBlock) {
    std::array<double, kBlock> scaled{};
    for (size_t i = 0; i < kBlock; ++i) {
      scaled.at(i) = double{tensor[first + i]} / divisor;
    }
    const std::array<double, kBlock> expected = script_block(scaled.data());
    for (size_t i = 0; i < kBlock; ++i) {
      ASSERT_EQ(float_bits(ours.decoded[first + i]),
                float_bits(static_cast<float>(expected.at(i) * divisor)))
          << name << ", element " << first + i << " of " << tensor[first + i];
    }
  }
}

TEST(HiFloat4Nvfp4, IsTheScripts) {
  for (const std::vector<float>& tensor : tensors()) {
    expect_script(tensor, "hifloat4_nvfp4", 1);
  }
}

TEST(HiFloat4Nvfp4, WithTheTensorScaleIsTheScripts) {
  for (const std::vector<float>& tensor : tensors()) {
    expect_script(tensor, "hifloat4_nvfp4_pts",
                  double{largest_of(tensor.data(), tensor.size())} / 2688);
  }
}

TEST(HiFloat4Nvfp4, CodesDecodeToTheSame) {
  for (const std::vector<float>& tensor : tensors()) {
    const Quantized ours = quantized(tensor, "hifloat4_nvfp4");
    std::vector<float> decoded(tensor.size());
    dequantize(ours.packed, decoded.data());
    EXPECT_EQ(ours.packed.tensor_scale, 1.0F);
    for (size_t i = 0; i < tensor.size(); ++i) {
      ASSERT_EQ(float_bits(decoded[i]), float_bits(ours.decoded[i])) << i;
    }
  }
}

TEST(HiFloat4Nvfp4, TensorScaleInFp32IsTheDivisorRounded) {
  const Quantized ours = quantized({3.0F, 1.0F}, "hifloat4_nvfp4_pts");
  EXPECT_EQ(float_bits(ours.packed.tensor_scale), float_bits(static_cast<float>(3.0 / 2688)));
  EXPECT_EQ(ours.packed.scales, std::vector<uint8_t>{0x7E});
  EXPECT_EQ(ours.decoded[0], 3.0F);
}

TEST(HiFloat4Nvfp4, TensorsWithoutATensorScale) {
  for (const float special : {0.0F, kInfinity}) {
    std::vector<float> values(32, 0.0F);
    values[3] = special;
    const Quantized ours = quantized(values, "hifloat4_nvfp4_pts");
    EXPECT_EQ(ours.packed.tensor_scale, 1.0F);
    EXPECT_EQ(ours.decoded[20], 0.0F);
    EXPECT_EQ(std::isnan(ours.decoded[3]), special == kInfinity);
    EXPECT_EQ(ours.decoded[4], 0.0F);
  }
  const Quantized nan = quantized(std::vector<float>(32, kNan), "hifloat4_nvfp4_pts");
  EXPECT_TRUE(std::isnan(nan.packed.tensor_scale));
  EXPECT_EQ(nan.packed.scales, (std::vector<uint8_t>{0x7F, 0x7F}));
}

/// Nearest E4M3 number of 0 <= value, held to 448, found among all of them; ties to the even code.
float e4m3(float value) {
  value = std::fmin(value, 448.0F);
  double best_distance = HUGE_VAL;
  double best = 0;
  for (int code = 0; code <= 0x7E; ++code) {
    const double number = code < 8 ? std::ldexp(code, -9) : std::ldexp(8 + code % 8, code / 8 - 10);
    const double distance = std::fabs(number - double{value});
    if (distance < best_distance || (distance == best_distance && code % 2 == 0)) {
      best_distance = distance;
      best = number;
    }
  }
  return static_cast<float>(best);
}

float e2m1(float x) {
  const float magnitude = std::fabs(x);
  float value = 6;
  if (magnitude <= 0.25F) {
    value = 0;
  } else if (magnitude < 0.75F) {
    value = 0.5F;
  } else if (magnitude <= 1.25F) {
    value = 1;
  } else if (magnitude < 1.75F) {
    value = 1.5F;
  } else if (magnitude <= 2.5F) {
    value = 2;
  } else if (magnitude < 3.5F) {
    value = 3;
  } else if (magnitude <= 5.0F) {
    value = 4;
  }
  return x < 0 ? -value : value;
}

struct Candidate {
  float scale;
  std::array<float, kBlock> elements;
  float error;
};

/// One of 4over6's candidates for a block, as TransformerEngine's kernel finds it.
Candidate candidate(const float* x, float scale, float encode, float tensor_largest) {
  Candidate result{scale, {}, 0};
  const float inverse = std::fmin(1.0F / (scale * (1.0F / encode)), FLT_MAX);
  for (size_t i = 0; i < kBlock; ++i) {
    result.elements.at(i) = e2m1(x[i] * inverse);
    const float value = result.elements.at(i) * scale * tensor_largest / (6.0F * 448.0F);
    result.error += std::fabs(value - x[i]);
  }
  return result;
}

TEST(FourOverSix, IsTheBetterOfBothScales) {
  int fours = 0;
  int blocks = 0;
  for (const std::vector<float>& tensor : tensors()) {
    const Quantized ours = quantized(tensor, "four_over_six");
    const float largest = largest_of(tensor.data(), tensor.size());
    const float encode = std::fmin(2688.0F / largest, FLT_MAX);
    EXPECT_EQ(float_bits(ours.packed.tensor_scale), float_bits(1.0F / encode));
    for (size_t first = 0; first < tensor.size(); first += kBlock) {
      const float base = largest_of(tensor.data() + first, kBlock) / 6.0F * encode;
      const Candidate six = candidate(tensor.data() + first, e4m3(base), encode, largest);
      const Candidate four = candidate(tensor.data() + first, e4m3(base * 1.5F), encode, largest);
      const Candidate& best = four.error < six.error ? four : six;
      fours += four.error < six.error ? 1 : 0;
      ++blocks;
      for (size_t i = 0; i < kBlock; ++i) {
        ASSERT_EQ(ours.decoded[first + i], best.elements.at(i) * best.scale * (1.0F / encode))
            << "element " << first + i;
      }
    }
  }
  EXPECT_GT(fours, blocks / 5);
  EXPECT_LT(fours, blocks * 4 / 5);
}

TEST(FourOverSix, TakesFourForAMaximumThatSixMakesWorse) {
  // Under a maximum of 4 the values 4, 3, 2 are on the grid; under 6 they are 6, 4.5, 3.
  std::vector<float> values(32, 0.0F);
  values[0] = 2688.0F;
  values[16] = 4.0F;
  values[17] = 3.0F;
  values[18] = -2.0F;
  const Quantized ours = quantized(values, "four_over_six");
  EXPECT_EQ(ours.packed.scales, (std::vector<uint8_t>{0x7E, 0x38}));
  EXPECT_EQ(ours.decoded[17], 3.0F);
  EXPECT_EQ(packed_code(ours.packed.row_codes(0), 16), 6);
  EXPECT_EQ(packed_code(ours.packed.row_codes(0), 18), 12);
}

TEST(FourOverSix, TiesAreSix) {
  // Both scales hold 6 and 0 exactly: 1 with 6, 1.5 with 4.
  std::vector<float> values(32, 0.0F);
  values[0] = 2688.0F;
  values[16] = 6.0F;
  const Quantized ours = quantized(values, "four_over_six");
  EXPECT_EQ(ours.packed.scales, (std::vector<uint8_t>{0x7E, 0x38}));
  EXPECT_EQ(packed_code(ours.packed.row_codes(0), 16), 7);
}

TEST(GgmlNvfp4, ScalesRoundHalfUpAndTheTopBinadeIs448) {
  const auto scale = [](float sixth) {
    return quantized({sixth * 6, 0}, "ggml_nvfp4").packed.scales.front();
  };
  EXPECT_EQ(scale(1.0625F), 0x39);  // halfway
  EXPECT_EQ(scale(std::nextafter(1.0625F, 0.0F)), 0x38);
  EXPECT_EQ(scale(247.5F), 0x77);
  EXPECT_EQ(scale(248.0F), 0x7E);
  EXPECT_EQ(scale(300.0F), 0x7E);
  EXPECT_EQ(scale(1e30F), 0x7E);
  EXPECT_EQ(scale(7.75F * 0x1p-9F), 0x07);  // stays subnormal
  EXPECT_EQ(scale(0x1p-6F), 0x08);
  EXPECT_EQ(scale(0x1p-10F), 0x01);
  EXPECT_EQ(scale(0x1.FEp-11F), 0x00);
}

TEST(GgmlNvfp4, OverlooksNanAndNeverWritesMinusZero) {
  const Quantized ours = quantized({6, kNan, -0.0F, -0.25F, 0.25F, -5.0F, -2.5F}, "ggml_nvfp4");
  EXPECT_EQ(ours.packed.scales, std::vector<uint8_t>{0x38});
  EXPECT_EQ(ours.decoded, (std::vector<float>{6, 0, 0, 0, 0, -4, -2}));
  EXPECT_EQ(packed_code(ours.packed.row_codes(0), 3), 0);
  const Quantized infinite = quantized({kInfinity, 2688}, "ggml_nvfp4");
  EXPECT_EQ(infinite.packed.scales, std::vector<uint8_t>{0x7E});
  EXPECT_EQ(infinite.decoded, (std::vector<float>{0, 2688}));
}

}  // namespace
}  // namespace nibblecore
