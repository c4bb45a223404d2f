// SPDX-License-Identifier: Apache-2.0
// Macro scales and an alpha in the golden GEMM: cases small enough to work by hand. B is all ones.
#include <algorithm>
#include <vector>

#include <gtest/gtest.h>

#include "model/common/bits.hpp"
#include "model/common/error.hpp"
#include "model/reference/gemm.hpp"

namespace nibblecore {
namespace {

constexpr uint32_t kMinusZero = 0x80000000;
constexpr uint32_t kInfinity = 0x7F800000;
constexpr uint32_t kMinusInfinity = 0xFF800000;
constexpr uint32_t kNan = 0x7FC00000;
constexpr int kBlocks = 8;

/// The first element of a block: an E2M1 code under the scale 2^exponent.
struct First {
  uint8_t code = 0;
  int exponent = 0;
};
constexpr First kNone{};
First power(int exponent) { return {2, exponent}; }
First minus_power(int exponent) { return {10, exponent}; }

PackedMatrix mxfp4_row(const std::vector<First>& firsts) {
  PackedMatrix row = make_packed_matrix(kMxfp4, 1, int64_t{kBlocks} * 32);
  std::fill(row.scales.begin(), row.scales.end(), uint8_t{127});
  for (size_t i = 0; i < firsts.size(); ++i) {
    set_packed_code(row.row_codes(0), static_cast<int64_t>(32 * i), firsts[i].code);
    row.scales[i] = static_cast<uint8_t>(127 + firsts[i].exponent);
  }
  return row;
}

class MacroGemm : public testing::Test {
 protected:
  /// The accumulator after one row of A from `c`.
  uint32_t result(const std::vector<First>& dense, uint32_t c,
                  Accumulation policy = Accumulation::kFp32Rne) {
    const ResidualOperand operand{residual_row, granule};
    corrections.residual = with_residual ? &operand : nullptr;
    uint32_t d = 0;
    reference_gemm(mxfp4_row(dense), b, policy, &c, &d, 1, corrections);
    return d;
  }

  void set_factors(int64_t length, const std::vector<float>& factors) {
    a_macro = {length, factors};
    a_macro.factors.resize(static_cast<size_t>(ceil_divide(int64_t{kBlocks} * 32, length)), 1.0F);
    corrections.a_macro = &a_macro;
  }

  void set_residual(const std::vector<First>& firsts, int64_t its_granule) {
    residual_row = mxfp4_row(firsts);
    granule = its_granule;
    with_residual = true;
  }

  PackedMatrix b = mxfp4_row(std::vector<First>(kBlocks, power(0)));
  MacroScales a_macro;
  PackedMatrix residual_row;
  int64_t granule = 0;
  bool with_residual = false;
  GemmCorrections corrections;
};

TEST_F(MacroGemm, EveryMacroBlockHasItsFactor) {
  set_factors(64, {0.5F, 2.0F, 0.75F, 4.0F});
  const std::vector<First> row{power(0), power(1), kNone, power(2), power(3), kNone, power(4)};
  // 0.5 * (1 + 2) + 2 * 4 + 0.75 * 8 + 4 * 16
  EXPECT_EQ(result(row, 0), float_bits(79.5F));
  const MacroScales b_macro{64, {0.25F, 1.0F, 2.0F, 0.5F}};
  corrections.b_macro = &b_macro;
  EXPECT_EQ(result(row, 0), float_bits(0.375F + 8 + 12 + 32));
  corrections.a_macro = nullptr;
  EXPECT_EQ(result(row, 0), float_bits(0.75F + 4 + 16 + 8));
}

// T = 2^12 + 2^-11 times 1 + 2^-10 is 2^12 + 4 + 2^-11 + 2^-21, 34 bits.
TEST_F(MacroGemm, FusedKeepsWhatSeparateRoundsAway) {
  set_factors(64, {0x1.004p0F});
  const std::vector<First> row{power(12), power(-11)};
  const uint32_t opposite = float_bits(-(4100 + 0x1p-11F));
  EXPECT_EQ(result(row, opposite), float_bits(0x1p-21F));
  corrections.epilogue = MacroEpilogue::kSeparate;
  EXPECT_EQ(result(row, opposite), 0U);
}

TEST_F(MacroGemm, TileSumsStartAtZeroAndMeetCOnce) {
  const uint32_t start = float_bits(0x1p24F);
  const std::vector<First> ones{power(0), power(0)};
  EXPECT_EQ(result(ones, start), start);  // each 1 is half a step, lost to the even number
  set_factors(32, {});
  EXPECT_EQ(result(ones, start), start);
  set_factors(64, {});
  EXPECT_EQ(result(ones, start), float_bits(0x1p24F + 2));
  EXPECT_EQ(result(ones, start, Accumulation::kFp32Fused), float_bits(0x1p24F + 2));
}

TEST_F(MacroGemm, InterleavedResidualsShareTheEpilogueAppendedOnesDoNot) {
  const uint32_t start = float_bits(0x1p24F);
  const std::vector<First> one{power(0)};
  set_factors(128, {});
  for (const int64_t interleaved : {64, 128}) {
    set_residual({power(0)}, interleaved);
    EXPECT_EQ(result(one, start), float_bits(0x1p24F + 2)) << interleaved;
  }
  set_residual({power(0)}, 256);
  EXPECT_EQ(result(one, start), start);
  // One macro block of the whole K: even an appended residual lies in it.
  set_factors(256, {});
  EXPECT_EQ(result(one, start), float_bits(0x1p24F + 2));
}

TEST_F(MacroGemm, ResidualsHaveTheFactorsOfA) {
  set_factors(128, {0.5F, 4.0F});
  set_residual({power(2), kNone, kNone, kNone, power(3)}, 64);
  EXPECT_EQ(result({power(0)}, 0), float_bits(0.5F + 2 + 32));
}

// One block, so that no later tile sum of +0 turns a C of -0 into +0.
TEST_F(MacroGemm, SignsOfZero) {
  const PackedMatrix zeros = make_packed_matrix(kMxfp4, 1, 32);
  PackedMatrix minus_tiny = zeros;  // -2^-127
  set_packed_code(minus_tiny.row_codes(0), 0, 10);
  PackedMatrix tiny = zeros;  // 2^-127
  set_packed_code(tiny.row_codes(0), 0, 2);
  PackedMatrix small = tiny;  // 2^-22
  small.scales[0] = 105;
  const MacroScales macro{32, {0x1p-24F}};
  corrections.a_macro = &macro;
  for (const MacroEpilogue epilogue : {MacroEpilogue::kFused, MacroEpilogue::kSeparate}) {
    corrections.epilogue = epilogue;
    const auto from = [&](uint32_t c, const PackedMatrix& x, const PackedMatrix& y) {
      uint32_t d = 1;
      reference_gemm(x, y, Accumulation::kFp32Rne, &c, &d, 1, corrections);
      return d;
    };
    // T is -0, the rounded -2^-254.
    EXPECT_EQ(from(kMinusZero, minus_tiny, tiny), kMinusZero);
    EXPECT_EQ(from(0, minus_tiny, tiny), 0U);
    // T is +0.
    EXPECT_EQ(from(kMinusZero, zeros, tiny), 0U);
    // T = -2^-149 times 2^-24 is no zero, but separate makes it -0, and (-0) + (+0) is +0.
    EXPECT_EQ(from(kMinusZero, minus_tiny, small), kMinusZero);
    EXPECT_EQ(from(0, minus_tiny, small), epilogue == MacroEpilogue::kFused ? kMinusZero : 0U);
  }
}

TEST_F(MacroGemm, OppositeInfinitiesOfTwoMacroBlocksGiveNan) {
  std::fill(b.scales.begin(), b.scales.end(), uint8_t{254});
  const First up = power(127);
  const First down = minus_power(127);
  set_factors(32, std::vector<float>(kBlocks, 0x1p-24F));
  for (const MacroEpilogue epilogue : {MacroEpilogue::kFused, MacroEpilogue::kSeparate}) {
    corrections.epilogue = epilogue;
    EXPECT_EQ(result({up}, 0), kInfinity);
    EXPECT_EQ(result({kNone, down, kNone, down}, 0), kMinusInfinity);
    EXPECT_EQ(result({up, kNone, down}, 0), kNan);
    EXPECT_EQ(result({up}, kMinusInfinity), kNan);
    EXPECT_EQ(result({up}, kInfinity), kInfinity);
    EXPECT_EQ(result({power(0)}, kMinusInfinity), kMinusInfinity);
  }
  const uint32_t one = float_bits(1.0F);
  EXPECT_EQ(result({up, kNone, down}, one, Accumulation::kExact), one);
  // In one macro block the infinity stays.
  set_factors(64, {});
  EXPECT_EQ(result({up, down}, 0), kInfinity);
}

TEST_F(MacroGemm, ExactTakesFactorsAndAlphaIntoItsOneSum) {
  set_factors(32, {1.0F, 0x1.004p-10F, 1.0F});
  // 2^20 + (1 + 2^-10) * 2^-10 - 2^20
  const std::vector<First> row{power(20), power(0), minus_power(20)};
  EXPECT_EQ(result(row, 0, Accumulation::kExact), float_bits(0x1.004p-10F));
  EXPECT_EQ(result(row, 0), 0U);
  set_residual({kNone, power(1)}, 256);
  corrections.residual_alpha = 0.75F;
  EXPECT_EQ(result(row, 0, Accumulation::kExact), float_bits(2.5F * 0x1.004p-10F));
  corrections.residual_alpha = -0.5F;
  EXPECT_EQ(result(row, kMinusZero, Accumulation::kExact), 0U);
}

TEST_F(MacroGemm, AlphaHasAnAccumulatorOfItsOwnAndOneRounding) {
  const uint32_t start = float_bits(0x1p24F);
  const std::vector<First> row{power(0)};
  set_residual({power(0), power(1)}, 64);
  EXPECT_EQ(result(row, start), float_bits(0x1p24F + 2));  // only the 2 is a step
  corrections.residual_alpha = 0.5F;                       // 2^24 + 1.5
  EXPECT_EQ(result(row, start), float_bits(0x1p24F + 2));
  corrections.residual_alpha = 1.0F;  // 2^24 + 3, a tie
  EXPECT_EQ(result(row, start), float_bits(0x1p24F + 4));
  corrections.residual_alpha = 0.0F;
  EXPECT_EQ(result(row, start), start);
  corrections.residual_alpha = 0x1.000002p-1F;  // 0 + 1.5 + 1.5 * 2^-23, a tie
  EXPECT_EQ(result({minus_power(24)}, start), float_bits(0x1.800004p0F));
}

TEST_F(MacroGemm, AlphaMeetsTileSumsOfTheResidualsOwn) {
  set_factors(128, {0.5F, 4.0F});
  corrections.residual_alpha = 0.75F;
  for (const int64_t any_granule : {64, 128, 256}) {
    set_residual({power(2), kNone, kNone, kNone, power(3)}, any_granule);
    EXPECT_EQ(result({power(0)}, 0), float_bits(0.5F + 0.75F * (2 + 32)));
  }
}

TEST_F(MacroGemm, AlphaOfZeroTimesInfinityIsNan) {
  std::fill(b.scales.begin(), b.scales.end(), uint8_t{254});
  set_residual({power(127)}, 64);
  corrections.residual_alpha = 0.0F;
  EXPECT_EQ(result({}, 0), kNan);
  corrections.residual_alpha = -0.5F;
  EXPECT_EQ(result({}, 0), kMinusInfinity);
  EXPECT_EQ(result({power(127)}, 0), kNan);
  residual_row.scales[7] = 0xFF;
  residual_row.scales[0] = 0;
  corrections.residual_alpha = 0.0F;
  EXPECT_EQ(result({}, 0), kNan);
}

TEST_F(MacroGemm, AlphaStandsBeforeTensorScales) {
  PackedMatrix a = make_packed_matrix(kNvfp4, 1, 16);
  set_packed_code(a.row_codes(0), 0, 2);
  a.scales[0] = 0x38;
  const PackedMatrix ones = a;
  a.tensor_scale = 0x1.000002p0F;
  const ResidualOperand operand{a, 64};
  corrections.residual = &operand;
  corrections.residual_alpha = 0x1p-24F;  // 1 + 2^-24, a tie, is 1; only then the tensor scale
  uint32_t d = 0;
  reference_gemm(a, ones, Accumulation::kFp32Rne, nullptr, &d, 1, corrections);
  EXPECT_EQ(d, float_bits(0x1.000002p0F));
}

TEST_F(MacroGemm, WithoutKReturnsC) {
  const PackedMatrix empty = make_packed_matrix(kMxfp4, 1, 0);
  const ResidualOperand operand{empty, 0};
  const MacroScales none{128, {}};
  corrections = {&operand, 0.5F, &none, &none, MacroEpilogue::kFused};
  for (const Accumulation policy :
       {Accumulation::kFp32Rne, Accumulation::kFp32Fused, Accumulation::kExact}) {
    for (const uint32_t c : {kMinusZero, kMinusInfinity, 1U}) {
      uint32_t d = 0;
      reference_gemm(empty, empty, policy, &c, &d, 1, corrections);
      EXPECT_EQ(d, c);
    }
  }
}

TEST_F(MacroGemm, RefusesWhatDoesNotGoWithTheOperandsOrThePolicy) {
  set_factors(32, {});
  EXPECT_THROW(result({}, 0, Accumulation::kFp32Fused), InputError);
  a_macro.factors.pop_back();
  EXPECT_THROW(result({}, 0), InputError);
}

}  // namespace
}  // namespace nibblecore
