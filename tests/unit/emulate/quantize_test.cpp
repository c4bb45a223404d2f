// SPDX-License-Identifier: Apache-2.0
#include "model/emulate/quantize.hpp"

#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model/common/bits.hpp"
#include "model/common/error.hpp"
#include "model/formats/bf16.hpp"
#include "model/quantize/quantize.hpp"
#include "tests/unit/emulate/quantize_cases.hpp"

namespace nibblecore {
namespace {

TEST(EmulateQuantize, EqualsGoldenOnAnyBits) {
  std::mt19937 random(1);
  constexpr int64_t kRows = 96;
  constexpr int64_t kColumns = 256;
  const std::vector<uint32_t> bits = random_bits(size_t{kRows * kColumns}, random);
  for (const Preset& preset : emulated_presets()) {
    // NVFP4's tensor scale is NaN as soon as one value is: small tensors.
    const int64_t tensors = preset.format.name == kNvfp4.name ? 8 * kRows : 1;
    const int64_t count = kRows * kColumns / tensors;
    for (int64_t i = 0; i < tensors; ++i) {
      const int64_t k = std::min(count, kColumns);
      expect_golden({bits.data() + i * count, ValueType::kF32, count / k, k, k, 1}, preset);
    }
  }
}

TEST(EmulateQuantize, EqualsGoldenOnNumbersOfEveryExponent) {
  std::mt19937 random(2);
  constexpr int64_t kRows = 64;
  constexpr int64_t kColumns = 512;
  for (const size_t together : {16U, 32U, 64U, 4096U}) {
    const std::vector<uint32_t> bits = random_numbers(size_t{kRows * kColumns}, together, random);
    for (const Preset& preset : emulated_presets()) {
      expect_golden(view_of(bits, kRows, kColumns), preset);
    }
    for (int64_t row = 0; row < kRows; ++row) {
      // A tensor scale for each row.
      expect_golden({bits.data() + row * kColumns, ValueType::kF32, 1, kColumns, kColumns, 1},
                    preset(kNvfp4, ""));
    }
  }
}

TEST(EmulateQuantize, EqualsGoldenOnGaussians) {
  std::mt19937 random(3);
  for (const float sigma : {1.0F, 1.3F, 1.7F, 3e-5F, 1e-40F, 2e37F}) {
    std::normal_distribution<float> gaussian(0, sigma);
    std::vector<float> values(size_t{40} * 512);
    for (float& value : values) {
      value = gaussian(random);
    }
    for (const Preset& preset : emulated_presets()) {
      expect_golden(row_major_view(values.data(), 40, 512), preset);
    }
  }
}

TEST(EmulateQuantize, EqualsGoldenOnEveryBf16NumberInEveryPosition) {
  for (const Preset& preset : main_presets()) {
    const int64_t block = preset.format.block;
    std::vector<uint16_t> values(static_cast<size_t>(65536 * block));
    for (size_t i = 0; i < values.size(); ++i) {
      // Blocks of neighbours, some of the other sign, over two or three binades.
      const size_t row = i / static_cast<size_t>(block);
      const size_t column = i % static_cast<size_t>(block);
      values[i] = static_cast<uint16_t>((row + 320 / static_cast<size_t>(block) * column) ^
                                        (column % 3 == 0 ? 0x8000U : 0U));
    }
    constexpr int64_t kRows = 512;  // of one tensor scale
    for (int64_t first = 0; first < 65536; first += kRows) {
      expect_golden({values.data() + first * block, ValueType::kBf16, kRows, block, block, 1},
                    preset);
    }
  }
}

TEST(EmulateQuantize, PadsTailsOfEveryLength) {
  std::mt19937 random(4);
  constexpr int64_t kRows = 3;
  for (int64_t k = 1; k <= 130; ++k) {
    std::vector<uint32_t> bits = random_numbers(static_cast<size_t>(kRows * k), 1000, random);
    for (const Preset& preset : emulated_presets()) {
      expect_golden(view_of(bits, kRows, k), preset);
    }
    bits.back() = 0xFFC00000;
    for (const Preset& preset : emulated_presets()) {
      expect_golden(view_of(bits, kRows, k), preset);
    }
  }
}

TEST(EmulateQuantize, PadsTailsBehindLongRows) {
  std::mt19937 random(5);
  for (const int64_t k : {511, 513, 1000, 1025, 2050}) {
    const std::vector<uint32_t> bits = random_numbers(static_cast<size_t>(5 * k), 1000, random);
    for (const Preset& preset : main_presets()) {
      expect_golden(view_of(bits, 5, k), preset);
    }
  }
}

TEST(EmulateQuantize, TakesAnyStridesAndAlignment) {
  std::mt19937 random(6);
  const std::vector<uint32_t> bits = random_numbers(8192, 8192, random);
  const auto* const bytes = reinterpret_cast<const unsigned char*>(bits.data());
  for (const Preset& preset : main_presets()) {
    for (const int64_t k : {1, 63, 64, 70}) {
      for (const ValueType type : {ValueType::kF32, ValueType::kBf16}) {
        // Rows apart, rows over one another, column-major, every other value, backwards.
        expect_golden({bytes, type, 20, k, k + 5, 1}, preset);
        expect_golden({bytes, type, 20, k, 3, 1}, preset);
        expect_golden({bytes, type, 20, k, 1, 20}, preset);
        expect_golden({bytes, type, 20, k, 2 * k, 2}, preset);
        expect_golden({bytes + 8000, type, 20, k, k, -1}, preset);
        // Behind any byte; BF16 keeps half a number of each.
        expect_golden({bytes + 1, type, 20, k, k, 1}, preset);
      }
    }
  }
}

TEST(EmulateQuantize, BitsDoNotDependOnThreads) {
  std::mt19937 random(7);
  for (const int64_t k : {70, 64}) {
    const std::vector<uint32_t> bits = random_numbers(static_cast<size_t>(97 * k), 640, random);
    for (const Preset& preset : main_presets()) {
      const PackedMatrix one = emulate_quantize(view_of(bits, 97, k), preset, 1);
      for (const int threads : {0, 2, 3}) {
        SCOPED_TRACE(preset.name + " with " + std::to_string(threads) + " threads");
        expect_same_bits(emulate_quantize(view_of(bits, 97, k), preset, threads), one);
      }
    }
  }
}

TEST(EmulateQuantize, WritesEveryByteOfAUsedMatrix) {
  std::mt19937 random(8);
  const std::vector<uint32_t> bits = random_bits(size_t{7} * 100, random);
  for (const Preset& preset : main_presets()) {
    const MatrixView view = view_of(bits, 7, 100);
    PackedMatrix packed = make_packed_matrix(preset.format, 7, 100);
    std::fill(packed.codes.begin(), packed.codes.end(), uint8_t{0x5A});
    std::fill(packed.scales.begin(), packed.scales.end(), uint8_t{0x5A});
    packed.tensor_scale = 5;
    const uint8_t* const codes = packed.codes.data();
    emulate_quantize(view, preset, 2, packed);
    expect_same_bits(packed, quantize(view, preset, 1));
    EXPECT_EQ(packed.codes.data(), codes);
  }
}

TEST(EmulateQuantize, TakesEmptyMatrices) {
  for (const Preset& preset : main_presets()) {
    expect_golden({nullptr, ValueType::kF32, 0, 64, 64, 1}, preset);
    expect_golden({nullptr, ValueType::kF32, 5, 0, 0, 1}, preset);
  }
}

TEST(EmulateQuantize, KnowsWhichPresetsItHas) {
  std::vector<std::string> names;
  for (const Preset& preset : presets()) {
    if (has_emulated_quantizer(preset)) {
      names.push_back(preset.name);
    }
  }
  EXPECT_THAT(
      names, testing::UnorderedElementsAre("rceil", "floor", "ceil", "even", "oas", "torchao_floor",
                                           "torchao_ceil", "amct", "model_a6_rne", "te_nvfp4"));
  for (const Preset& preset : emulated_presets()) {
    EXPECT_TRUE(has_emulated_quantizer(preset)) << preset.name;
  }
}

TEST(EmulateQuantize, RefusesOtherPresets) {
  const float value = 1;
  const MatrixView view = row_major_view(&value, 1, 1);
  Preset of_16 = preset(kMxfp4, "rceil");
  of_16.format.block = 16;
  for (const Preset& other :
       {preset(kMxfp4, "four_thirds"), preset(kHif4, "gcc_cuda"), preset(kNvfp4, "ggml_nvfp4"),
        preset(kMxfp4, "torchao_rceil"),
        with_rounding(preset(kHif4, "amct"), Rounding::kNearestEven),
        with_rounding(preset(kMxfp4, "rceil"), Rounding::kStochastic),
        with_rounding(preset(kNvfp4, "te_nvfp4"), Rounding::kStochastic), of_16}) {
    SCOPED_TRACE(other.name);
    EXPECT_FALSE(has_emulated_quantizer(other));
    PackedMatrix packed = make_packed_matrix(other.format, 1, 1);
    EXPECT_THROW(emulate_quantize(view, other, 1, packed), InputError);
    try {
      emulate_quantize(view, other, 1);
      ADD_FAILURE();
    } catch (const InputError& error) {
      EXPECT_THAT(error.what(), testing::AllOf(testing::HasSubstr("'" + other.name + "'"),
                                               testing::HasSubstr("rceil, floor"),
                                               testing::HasSubstr("te_nvfp4")));
    }
  }
}

TEST(EmulateQuantize, RefusesAMatrixOfAnotherFormatOrSize) {
  const std::vector<float> values(64);
  const MatrixView view = row_major_view(values.data(), 2, 32);
  const Preset& rceil = preset(kMxfp4, "rceil");
  PackedMatrix short_codes = make_packed_matrix(kMxfp4, 2, 32);
  short_codes.codes.pop_back();
  PackedMatrix short_scales = make_packed_matrix(kMxfp4, 2, 32);
  short_scales.scales.pop_back();
  for (PackedMatrix packed : {make_packed_matrix(kMxfp4, 1, 32), make_packed_matrix(kMxfp4, 2, 31),
                              make_packed_matrix(kNvfp4, 2, 32), make_packed_matrix(kHif4, 2, 32),
                              short_codes, short_scales}) {
    EXPECT_THROW(emulate_quantize(view, rceil, 1, packed), InputError);
  }
  EXPECT_THROW(emulate_quantize({nullptr, ValueType::kF32, -1, 32, 32, 1}, rceil, 1), InputError);
}

}  // namespace
}  // namespace nibblecore
