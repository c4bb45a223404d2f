// SPDX-License-Identifier: Apache-2.0
#include "model/quantize/operand_recipe.hpp"

#include <algorithm>
#include <cmath>

#include <gmock/gmock.h>

#include "model/quantize/quantize.hpp"
#include "model/quantize/residual.hpp"
#include "tests/unit/quantize/corrected_operands.hpp"

namespace nibblecore {
namespace {

using ::testing::HasSubstr;

constexpr int64_t kRows = 37;
constexpr int64_t kK = 192;
constexpr RandomStream kRandom{3, Stream::kStochasticRounding, 1};
const Noise kNoise{0.02, {3, Stream::kNoise, 1}};
const HadamardTransform kHadamard{32, HadamardSigns::kSeeded, {3, Stream::kHadamardSigns, 0}};

using Matrix = std::vector<float>;

MatrixView view_of(const Matrix& values) { return row_major_view(values.data(), kRows, kK); }

Matrix rows_of(const RowSource& source) {
  Matrix values(static_cast<size_t>(kRows * kK));
  for (int64_t row = 0; row < kRows; ++row) {
    source(row, values.data() + row * kK);
  }
  return values;
}

/// Noise, then the transform, on the whole matrix.
Matrix transformed_by_hand(Matrix values) {
  for (int64_t row = 0; row < kRows; ++row) {
    add_noise(kNoise, {0, kK, 1}, row, kK, values.data() + row * kK);
  }
  Hadamard(kHadamard).transform(kRows * kK, values.data());
  return values;
}

OperandRecipe everything(const BlockFormat& format) {
  OperandRecipe recipe{preset(format, ""), {}, kNoise, kHadamard, std::nullopt};
  if (format.scale != ScaleKind::kUe4m3) {
    recipe.macro = MacroBlockScaling{MacroSearch::kDynamic, 128, 8, 16};
  }
  return recipe;
}

TEST(OperandRecipe, WithoutCorrectionsIsQuantize) {
  const Matrix values = gaussian(kRows, kK, 40);
  for (const BlockFormat& format : kBlockFormats) {
    const OperandRecipe recipe{preset(format, ""), {}, {}, {}, {}};
    const PreparedOperand prepared = prepare_operand(view_of(values), recipe, 1);
    expect_same(prepared.packed, quantize(view_of(values), recipe.preset, 1), recipe.preset.name);
    EXPECT_EQ(prepared.macro.length, 0);
    EXPECT_TRUE(prepared.multipliers.empty());
    EXPECT_EQ(rows_of(transformed_rows(view_of(values), recipe)), values);
    expect_same(prepare_residual(view_of(values), prepared, recipe, 1),
                quantize_residual(view_of(values), prepared.packed, recipe.preset, 1), "residual");
  }
}

TEST(OperandRecipe, EqualsItsStepsOneByOne) {
  const Matrix values = gaussian(kRows, kK, 41);
  for (const BlockFormat& format : kBlockFormats) {
    const OperandRecipe recipe = everything(format);
    Matrix by_hand = transformed_by_hand(values);
    EXPECT_EQ(rows_of(transformed_rows(view_of(values), recipe)), by_hand);
    std::vector<float> multipliers;
    if (recipe.macro) {
      multipliers.resize(kRows * 2);
      const MacroMultipliers finder(*recipe.macro, recipe.preset, {1, 1});
      for (int64_t row = 0; row < kRows; ++row) {
        finder.find(kK, by_hand.data() + row * kK, multipliers.data() + row * 2);
        multiply_macro_blocks(multipliers.data() + row * 2, 128, kK, by_hand.data() + row * kK);
      }
    }
    for (const int threads : {1, 3}) {
      const PreparedOperand prepared = prepare_operand(view_of(values), recipe, threads);
      // NVFP4's tensor scale, too, is that of the transformed matrix.
      expect_same(prepared.packed, quantize(view_of(by_hand), recipe.preset, 1),
                  recipe.preset.name);
      EXPECT_EQ(prepared.multipliers, multipliers);
      ASSERT_EQ(prepared.macro.factors.size(), multipliers.size());
      EXPECT_TRUE(std::equal(multipliers.begin(), multipliers.end(), prepared.macro.factors.begin(),
                             [](float c, float factor) { return factor == macro_factor(c); }));
      EXPECT_EQ(rows_of(scaled_rows(view_of(values), prepared, recipe)), by_hand);
      expect_same(prepare_residual(view_of(values), prepared, recipe, threads),
                  quantize_residual(view_of(by_hand), prepared.packed, recipe.preset, 1),
                  recipe.preset.name);
    }
  }
}

TEST(OperandRecipe, DecodesByTheMacroFactor) {
  const Matrix values = gaussian(kRows, kK, 42);
  for (const BlockFormat& format : {kMxfp4, kHif4}) {
    OperandRecipe recipe{preset(format, ""), {}, {}, {}, MacroBlockScaling{}};
    Matrix whole(values.size());
    const PreparedOperand prepared = prepare_operand(view_of(values), recipe, 2, whole.data());
    Matrix expected = decoded(prepared.packed);
    for (int64_t i = 0; i < kRows * kK; ++i) {
      const int64_t macro_block = i / kK * 2 + i % kK / 128;
      expected[static_cast<size_t>(i)] *= prepared.macro.factors[static_cast<size_t>(macro_block)];
    }
    EXPECT_EQ(whole, expected);
    EXPECT_EQ(rows_of([&](int64_t row, float* row_values) {
                decode_row(prepared.packed, prepared.macro, row, row_values);
              }),
              expected);
  }
}

TEST(OperandRecipe, ResidualDrawsFromAStreamOfItsOwn) {
  const Matrix values = gaussian(kRows, kK, 46);
  const OperandRecipe recipe{with_rounding(preset(kMxfp4, ""), Rounding::kStochastic),
                             {BlockShape::kRow, kRandom, 0},
                             {},
                             {},
                             {}};
  const PreparedOperand prepared = prepare_operand(view_of(values), recipe, 1);
  const PackedMatrix residual = prepare_residual(view_of(values), prepared, recipe, 1);
  RandomStream random = kRandom;
  random.stream = Stream::kResidualRounding;
  Matrix difference = values;
  const Matrix main = decoded(prepared.packed);
  std::transform(values.begin(), values.end(), main.begin(), difference.begin(),
                 [](float x, float q) { return x - q; });
  expect_same(residual,
              quantize(view_of(difference), recipe.preset, {BlockShape::kRow, random, 0}, 1),
              "residual");
  EXPECT_NE(residual.codes,
            quantize(view_of(difference), recipe.preset, {BlockShape::kRow, kRandom, 0}, 1).codes);
}

TEST(OperandRecipe, ViewsAlongEitherAxisDrawTheSameNoiseAndBits) {
  const Matrix values = gaussian(kRows, kK, 43);
  const Matrix other = transposed(values, kRows, kK);  // [kK, kRows], stored so
  OperandRecipe recipe{with_rounding(preset(kMxfp4, ""), Rounding::kStochastic),
                       {BlockShape::kSquare, kRandom, 5},
                       kNoise,
                       {},
                       {}};
  const MatrixView columns{values.data(), ValueType::kF32, kK, kRows, 1, kK};
  EXPECT_EQ(transposed(decoded(prepare_operand(columns, recipe, 2).packed), kK, kRows),
            decoded(prepare_operand(view_of(values), recipe, 2).packed));
  // The same numbers stored the other way round are another tensor.
  EXPECT_NE(transposed(
                decoded(prepare_operand(row_major_view(other.data(), kK, kRows), recipe, 2).packed),
                kK, kRows),
            decoded(prepare_operand(view_of(values), recipe, 2).packed));
}

TEST(OperandRecipe, RefusesWhatDoesNotGoTogether) {
  const Matrix values = gaussian(kRows, kK, 44);
  OperandRecipe recipe = everything(kMxfp4);
  recipe.hadamard->length = 64;
  EXPECT_THAT(input_error([&] { require_recipe(recipe, 96); }), HasSubstr("K = 96"));
  recipe.choices.shape = BlockShape::kSquare;
  EXPECT_THAT(input_error([&] { prepare_operand(view_of(values), recipe, 1); }),
              HasSubstr("square"));
  recipe = everything(kNvfp4);
  recipe.macro = MacroBlockScaling{};
  EXPECT_THAT(input_error([&] { prepare_operand(view_of(values), recipe, 1); }),
              HasSubstr("nvfp4"));
}

/// What macro-block scaling makes of G128 Gaussian values in MXFP4.
class MacroError {
 public:
  MacroError() : tensor_(phased_set_up(kLaws[0], 128, int64_t{1} << 17, 45)) {
    values_ = tensor_.values(2);
  }

  PreparedOperand prepare(const std::optional<MacroBlockScaling>& macro, const char* rule) const {
    return prepare_operand(view(), {preset(kMxfp4, rule), {}, {}, {}, macro}, 2);
  }

  /// Squared error over that of the plain rule `rceil`.
  double ratio(const MacroBlockScaling& macro, const char* rule = "rceil") const {
    return error(prepare(macro, rule)) / error(prepare({}, "rceil"));
  }

  MatrixView view() const {
    return row_major_view(values_.data(), tensor_.spec().rows, tensor_.spec().k);
  }

 private:
  double error(const PreparedOperand& prepared) const {
    std::vector<float> row_values(static_cast<size_t>(tensor_.spec().k));
    double sum = 0;
    for (int64_t row = 0; row < tensor_.spec().rows; ++row) {
      decode_row(prepared.packed, prepared.macro, row, row_values.data());
      for (size_t i = 0; i < row_values.size(); ++i) {
        const double x = values_[static_cast<size_t>(row) * row_values.size() + i];
        sum += (row_values[i] - x) * (row_values[i] - x);
      }
    }
    return sum;
  }

  SyntheticTensor tensor_;
  std::vector<float> values_;
};

// Figures of another program in FP64 with standard deviations of .0007 at 2^21 values, so about
// .0028 at 2^17; tolerances are 4 of them.
TEST(MacroError, IsThePublishedOne) {
  const MacroError error;
  EXPECT_NEAR(error.ratio({MacroSearch::kStatic, 32, 8, 16}), 0.752, 0.0112);
  EXPECT_NEAR(error.ratio({MacroSearch::kStatic, 128, 8, 16}), 0.869, 0.0112);
  EXPECT_NEAR(error.ratio({MacroSearch::kDynamic, 128, 8, 16}), 0.804, 0.0112);
  EXPECT_NEAR(error.ratio({MacroSearch::kDynamic, 128, 8, 16}, "oas"), 0.741, 0.0112);
}

TEST(MacroError, LeavesTheScaleBiasOfTheOtherBlocks) {
  const MacroError error;
  const PreparedOperand prepared = error.prepare(MacroBlockScaling{}, "rceil");
  const RowSource source =
      scaled_rows(error.view(), prepared, {preset(kMxfp4, "rceil"), {}, {}, {}, {}});
  std::vector<float> row_values(static_cast<size_t>(prepared.packed.k));
  // gamma = scale over a sixth of the block's maximum; sums with the macro block's own maximum, and
  // without.
  double with_maximum = 0;
  double others = 0;
  double greatest = 0;
  for (int64_t row = 0; row < prepared.packed.rows; ++row) {
    source(row, row_values.data());
    for (int64_t macro = 0; macro < prepared.packed.k / 128; ++macro) {
      std::array<double, 4> maxima{};
      for (int64_t i = 0; i < 128; ++i) {
        double& maximum = maxima[static_cast<size_t>(i / 32)];
        maximum =
            std::max(maximum, std::fabs(double{row_values[static_cast<size_t>(macro * 128 + i)]}));
      }
      const auto top = std::max_element(maxima.begin(), maxima.end()) - maxima.begin();
      for (int64_t block = 0; block < 4; ++block) {
        const double scale =
            std::ldexp(6.0, prepared.packed.row_scales(row)[macro * 4 + block] - 127);
        const double gamma = scale / maxima[static_cast<size_t>(block)];
        (block == top ? with_maximum : others) += gamma;
        greatest = block == top ? std::max(greatest, gamma) : greatest;
      }
    }
  }
  // 1024 and 3072 blocks; gamma is spread over [1, 1.004] and [1, 2).
  EXPECT_NEAR(with_maximum / 1024, 1.0014, 0.0002);
  EXPECT_LE(greatest, 1.00392);
  EXPECT_NEAR(others / 3072, 1.300, 0.018);
}

}  // namespace
}  // namespace nibblecore
