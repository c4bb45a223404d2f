// SPDX-License-Identifier: Apache-2.0
#include "model/quantize/quantize_rows.hpp"

#include <cmath>
#include <limits>
#include <set>
#include <string>
#include <utility>

#include <gmock/gmock.h>

#include "model/quantize/quantize.hpp"
#include "tests/unit/quantize/corrected_operands.hpp"

namespace nibblecore {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

constexpr RandomStream kRandom{42, Stream::kStochasticRounding, 7};

/// The exact default of each format with another rounding.
std::vector<Preset> rounded_by(Rounding rounding) {
  return {with_rounding(preset(kMxfp4, ""), rounding), with_rounding(preset(kHif4, ""), rounding),
          with_rounding(preset(kNvfp4, ""), rounding)};
}

TEST(StochasticRows, ElementsRoundByTheBitsOfTheirPlaceInTheStoredTensor) {
  // The scale is 1; 2.5 lies half way between the codes 4 and 5.
  constexpr int64_t kRows = 3;
  constexpr int64_t kColumns = 70;
  std::vector<float> values(kRows * kColumns, -2.5F);
  for (int64_t row = 0; row < kRows; ++row) {
    for (int64_t i = 0; i < kColumns; i += 32) {
      values[static_cast<size_t>(row * kColumns + i)] = 6.0F;
    }
  }
  const QuantizeChoices choices{BlockShape::kRow, kRandom, 1000};
  const PackedMatrix packed =
      quantize(row_major_view(values.data(), kRows, kColumns),
               with_rounding(preset(kMxfp4, ""), Rounding::kStochastic), choices, 1);
  int up = 0;
  for (int64_t row = 0; row < kRows; ++row) {
    for (int64_t i = 0; i < kColumns; ++i) {
      const auto element = static_cast<uint64_t>(1000 + row * kColumns + i);
      const bool goes_up = random_bits16(kRandom, element) >= 0x8000;
      ASSERT_EQ(packed_code(packed.row_codes(row), i), i % 32 == 0 ? 7
                                                       : goes_up   ? 13
                                                                   : 12)
          << row << " " << i;
      up += goes_up ? 1 : 0;
    }
  }
  EXPECT_THAT(up, ::testing::AllOf(::testing::Gt(80), ::testing::Lt(130)));
}

TEST(StochasticRows, EveryFormatTruncatesOrGoesUpByOneCode) {
  const std::vector<float> values = gaussian(40, 130, 3);
  const MatrixView view = row_major_view(values.data(), 40, 130);
  const std::vector<Preset> presets = rounded_by(Rounding::kStochastic);
  const std::vector<Preset> truncating = rounded_by(Rounding::kTowardZero);
  for (size_t i = 0; i < presets.size(); ++i) {
    const PackedMatrix packed = quantize(view, presets[i], {BlockShape::kRow, kRandom, 0}, 2);
    const PackedMatrix below = quantize(view, truncating[i], 2);
    EXPECT_EQ(packed.scales, below.scales) << presets[i].name;
    int64_t up = 0;
    for (int64_t element = 0; element < int64_t{40} * 130; ++element) {
      const uint8_t code = packed_code(packed.row_codes(element / 130), element % 130);
      const uint8_t lower = packed_code(below.row_codes(element / 130), element % 130);
      ASSERT_EQ(code & 8, lower & 8) << presets[i].name;
      ASSERT_THAT(code - lower, AllOf(::testing::Ge(0), ::testing::Le(1))) << presets[i].name;
      up += code - lower;
    }
    // About half of the elements; a rounding without its random bits would give none.
    EXPECT_GT(up, 40 * 130 * 2 / 5) << presets[i].name;
    EXPECT_LT(up, 40 * 130 * 3 / 5) << presets[i].name;
  }
}

TEST(StochasticRows, ThreadsDoNotChangeThem) {
  const std::vector<float> values = gaussian(90, 70, 4);
  const MatrixView view = row_major_view(values.data(), 90, 70);
  const QuantizeChoices choices{BlockShape::kRow, kRandom, 0};
  for (const Preset& preset : rounded_by(Rounding::kStochastic)) {
    const PackedMatrix single = quantize(view, preset, choices, 1);
    for (const int threads : {2, 3, 8}) {
      expect_same(quantize(view, preset, choices, threads), single, preset.name);
    }
  }
}

TEST(StochasticRows, SeedAndTensorChangeThem) {
  const std::vector<float> values = gaussian(4, 64, 4);
  const MatrixView view = row_major_view(values.data(), 4, 64);
  for (const Preset& preset : rounded_by(Rounding::kStochastic)) {
    const auto codes = [&](const RandomStream& random) {
      return quantize(view, preset, {BlockShape::kRow, random, 0}, 1).codes;
    };
    EXPECT_NE(codes({1, Stream::kStochasticRounding, 0}),
              codes({2, Stream::kStochasticRounding, 0}));
    EXPECT_NE(codes({1, Stream::kStochasticRounding, 0}),
              codes({1, Stream::kStochasticRounding, 1}));
  }
}

TEST(StochasticRows, NeedAStream) {
  const float value = 1;
  for (const Preset& preset : rounded_by(Rounding::kStochastic)) {
    EXPECT_THAT(input_error([&] { quantize(row_major_view(&value, 1, 1), preset, 1); }),
                AllOf(HasSubstr("--rounding"), HasSubstr("--seed"), HasSubstr(preset.name)));
  }
}

/// <Q(x), x> / <x, x> and the relative squared error with stochastic rounding.
struct Bias {
  double gain;
  double error;
};

Bias bias_of(ScaleRule rule) {
  const SyntheticTensor tensor(phased_set_up(kLaws[0], 32, int64_t{1} << 17, 11));
  const std::vector<float> x = tensor.values(1);
  std::vector<float> q(x.size());
  quantize(row_major_view(x.data(), tensor.spec().rows, tensor.spec().k),
           with_rounding(preset(kMxfp4, name_of(rule)), Rounding::kStochastic),
           {BlockShape::kRow, kRandom, 0}, 2, q.data());
  double product = 0;
  double square = 0;
  double error = 0;
  for (size_t i = 0; i < x.size(); ++i) {
    const double difference = static_cast<double>(q[i]) - x[i];
    product += static_cast<double>(q[i]) * x[i];
    square += static_cast<double>(x[i]) * x[i];
    error += difference * difference;
  }
  return {product / square, error / square};
}

TEST(StochasticRows, AreUnbiasedWithoutClippingOnly) {
  // Figures of another program in FP64. Of 2^17 values the gain has a standard deviation of about
  // sqrt(3 * .0278 / 2^17) = .0008, the error one of 1 %.
  const Bias rceil = bias_of(ScaleRule::kRceil);
  EXPECT_NEAR(rceil.gain, 0.9999, 0.0032);
  EXPECT_NEAR(rceil.error, 0.0278, 0.0011);
  const Bias floor = bias_of(ScaleRule::kFloor);
  EXPECT_NEAR(floor.gain, 0.9863, 0.0032);
  EXPECT_NEAR(floor.error, 0.0249, 0.0010);
  // Floor's scales with 3/4 before and 4/3 after: nothing clips (arXiv 2502.20586).
  const Bias four_thirds = bias_of(ScaleRule::kFourThirds);
  EXPECT_NEAR(four_thirds.gain, 0.9999, 0.0032);
  EXPECT_NEAR(four_thirds.error, 0.0278, 0.0011);
}

constexpr QuantizeChoices kSquares{BlockShape::kSquare, std::nullopt, 0};

TEST(SquareBlocks, ShareTheScaleOfTheirLargestMagnitude) {
  std::vector<float> values(size_t{40} * 50, 1.0F);
  values[5 * 50 + 3] = -6.0F;     // tile (0, 0)
  values[10 * 50 + 32] = 0.375F;  // tile (0, 1), 18 wide, keeps its 1s
  values[39 * 50 + 0] = 24.0F;    // tile (1, 0), 8 high
  const PackedMatrix packed =
      quantize(row_major_view(values.data(), 40, 50), preset(kMxfp4, ""), kSquares, 1);
  for (int64_t row = 0; row < 40; ++row) {
    EXPECT_EQ(packed.row_scales(row)[0], row < 32 ? 127 : 129) << row;
    EXPECT_EQ(packed.row_scales(row)[1], 125) << row;
    EXPECT_EQ(packed_code(packed.row_codes(row), 7), row < 32 ? 2 : 0) << row;  // 1 and 1/4, a tie
    EXPECT_EQ(packed_code(packed.row_codes(row), 40), 6) << row;
  }
}

TEST(SquareBlocks, GiveTheSameValuesAlongEitherAxis) {
  constexpr int64_t kRows = 70;
  constexpr int64_t kColumns = 45;
  const std::vector<float> values = gaussian(kRows, kColumns, 5);
  const MatrixView rows = row_major_view(values.data(), kRows, kColumns);
  const MatrixView columns{values.data(), ValueType::kF32, kColumns, kRows, 1, kColumns};
  for (const Rounding rounding : {Rounding::kNearestEven, Rounding::kStochastic}) {
    const QuantizeChoices choices{BlockShape::kSquare, kRandom, 0};
    for (const BlockFormat& format : {kMxfp4, kNvfp4}) {
      const Preset preset = with_rounding(nibblecore::preset(format, ""), rounding);
      const std::vector<float> along_rows = decoded(quantize(rows, preset, choices, 2));
      EXPECT_EQ(transposed(decoded(quantize(columns, preset, choices, 2)), kColumns, kRows),
                along_rows)
          << preset.name;
      // Blocks of rows do differ.
      EXPECT_NE(decoded(quantize(rows, preset, {BlockShape::kRow, kRandom, 0}, 2)), along_rows);
    }
  }
}

TEST(SquareBlocks, ThreadsDoNotChangeThem) {
  const std::vector<float> values = gaussian(150, 40, 6);
  const MatrixView view = row_major_view(values.data(), 150, 40);
  for (const BlockFormat& format : {kMxfp4, kNvfp4}) {
    const PackedMatrix single = quantize(view, preset(format, ""), kSquares, 1);
    for (const int threads : {2, 5}) {
      expect_same(quantize(view, preset(format, ""), kSquares, threads), single, "threads");
    }
  }
}

TEST(SquareBlocks, OneNanMakesTheTileNan) {
  std::vector<float> values(size_t{40} * 64, 1.0F);
  values[3 * 64 + 40] = std::numeric_limits<float>::quiet_NaN();
  const PackedMatrix packed =
      quantize(row_major_view(values.data(), 40, 64), preset(kMxfp4, ""), kSquares, 1);
  for (int64_t row = 0; row < 40; ++row) {
    EXPECT_EQ(packed.row_scales(row)[0], 125);
    EXPECT_EQ(packed.row_scales(row)[1], row < 32 ? 255 : 125);
  }
}

TEST(SquareBlocks, AreRefusedWhereRowsCannotShareAScale) {
  const float value = 1;
  const MatrixView view = row_major_view(&value, 1, 1);
  EXPECT_THAT(input_error([&] { quantize(view, preset(kHif4, ""), kSquares, 1); }),
              HasSubstr("micro-exponents"));
  const Preset best = mxfp4_preset(ScaleRule::kBestPowerOfTwo, Rounding::kNearestEven);
  EXPECT_THAT(input_error([&] { quantize(view, best, kSquares, 1); }), HasSubstr("best_pow2"));
  EXPECT_THAT(input_error([&] { quantize(view, preset(kNvfp4, "four_over_six"), kSquares, 1); }),
              HasSubstr("single blocks"));
  for (const auto& [format, name] : {std::pair{kMxfp4, "ggml_mxfp4"}, {kNvfp4, "ggml_nvfp4"}}) {
    EXPECT_THAT(
        input_error([&, &peer = preset(format, name)] { quantize(view, peer, kSquares, 1); }),
        HasSubstr("NaN"));
  }
}

TEST(SquareBlocks, AreTakenByAllOtherPresets) {
  const std::set<std::string> without{"best_pow2", "four_over_six", "ggml_mxfp4", "ggml_nvfp4"};
  const std::vector<float> values = gaussian(70, 45, 7);
  const MatrixView rows = row_major_view(values.data(), 70, 45);
  const MatrixView columns{values.data(), ValueType::kF32, 45, 70, 1, 45};
  for (const Preset& preset : presets()) {
    if (preset.format.name != kHif4.name && without.count(preset.name) == 0) {
      EXPECT_EQ(transposed(decoded(quantize(columns, preset, kSquares, 1)), 45, 70),
                decoded(quantize(rows, preset, kSquares, 1)))
          << preset.name;
    }
  }
}

}  // namespace
}  // namespace nibblecore
