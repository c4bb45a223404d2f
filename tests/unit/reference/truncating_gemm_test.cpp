// SPDX-License-Identifier: Apache-2.0
// The golden GEMM under the policies that truncate: random operands against their words, chains of
// nodes, and what lies outside the dot product.
#include <algorithm>
#include <array>
#include <cmath>
#include <random>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model/common/bits.hpp"
#include "model/common/error.hpp"
#include "model/reference/gemm.hpp"
#include "tests/unit/reference/packed_rows.hpp"
#include "tests/unit/reference/truncating_definition.hpp"

namespace nibblecore {
namespace {

constexpr uint32_t kNan = 0x7FFFFFFF;
constexpr std::array<Accumulation, 3> kPolicies{
    Accumulation::kBlackwell, Accumulation::kBlackwellV1, Accumulation::kBlackwellMxf8f6f4};

struct Case {
  BlockFormat format;
  Accumulation policy;
};

std::vector<Case> cases() {
  std::vector<Case> result{{kMxfp4, Accumulation::kBlackwellMxf8f6f4}};
  for (const Accumulation policy : {Accumulation::kBlackwell, Accumulation::kBlackwellV1}) {
    for (const int block : {16, 32}) {
      result.push_back({make_block_format("mxfp4", block, "ue8m0"), policy});
      result.push_back({make_block_format("nvfp4", block, "ue4m3"), policy});
    }
  }
  return result;
}

std::string text(const Case& c) {
  return std::string(name_of(c.policy)) + ", " + std::string(scale_name(c.format.scale)) +
         " blocks of " + std::to_string(c.format.block);
}

TruncatedOutputs gemm(const PackedMatrix& a, const PackedMatrix& b, Accumulation policy,
                      const std::vector<uint32_t>& c, const GemmCorrections& corrections = {},
                      int threads = 1) {
  // No result is one of these patterns: an output left unwritten shows.
  TruncatedOutputs d{std::vector<uint32_t>(c.size(), 0x7FDEAD00),
                     std::vector<uint8_t>(c.size(), 0xEE)};
  reference_gemm(a, b, policy, c.data(), d.bits.data(), threads, corrections, d.truncation.data());
  return d;
}

/// Kinds of operands: what the scale codes of a row of E8M0 spread over, and how many zeros.
struct Spread {
  uint32_t lowest;
  uint32_t codes;
  uint32_t zero_of_8;  ///< blocks of 8 whose elements are all zero
};
constexpr std::array<Spread, 7> kSpreads{{{0, 256, 1},
                                          {122, 12, 1},
                                          {110, 40, 4},
                                          {0, 24, 2},      // below FP32
                                          {60, 8, 2},      // about 2^-130
                                          {40, 16, 2},     // about the exponents of zero
                                          {186, 16, 1}}};  // about 2^128

PackedMatrix operand(const BlockFormat& format, int64_t rows, int64_t k, const Spread& spread,
                     std::mt19937& random) {
  PackedMatrix matrix = random_packed(format, rows, k, random, [&] {
    const auto draw = static_cast<uint32_t>(random());
    return format.scale == ScaleKind::kE8m0 ? spread.lowest + draw % spread.codes
                                            : draw % (spread.codes == 256 ? 256 : 127);
  });
  for (int64_t row = 0; row < rows; ++row) {
    for (int64_t group = 0; group < matrix.code_stride() / 8; ++group) {
      if (random() % 8 < spread.zero_of_8) {
        const auto zeros = static_cast<uint8_t>(random() % 2 == 0 ? 0x00 : 0x88);
        std::fill_n(matrix.row_codes(row) + 8 * group, 8, zeros);
      }
    }
  }
  return matrix;
}

/// Special numbers, any bits, and numbers of the size of sums under `spread`.
std::vector<uint32_t> starts(size_t count, const Spread& spread, std::mt19937& random) {
  constexpr uint32_t kSpecials[] = {0,          0x80000000, 1,          0x80000001,
                                    0x007FFFFF, 0x80800000, 0x7F7FFFFF, 0xFF7FFFFF,
                                    0x7F800000, 0xFF800000, 0x7F800001, 0xFFFFFFFF};
  std::vector<uint32_t> result;
  for (size_t i = 0; i < count; ++i) {
    const auto style = static_cast<uint32_t>(random() % 4);
    const auto bits = static_cast<uint32_t>(random());
    const int field = 2 * static_cast<int>(spread.lowest + random() % spread.codes) - 127;
    const auto near = static_cast<uint32_t>(std::min(254, std::max(0, field))) << 23;
    result.push_back(style == 0   ? kSpecials[random() % 12]
                     : style == 1 ? bits
                                  : near | (bits & 0x807FFFFF));
  }
  return result;
}

TEST(TruncatingGemm, FollowsTheWordsOfEachPolicy) {
  std::mt19937 random(1);
  std::array<int64_t, 4> losses{};
  for (const Case& one : cases()) {
    for (const Spread& spread : kSpreads) {
      for (const int64_t k : {1, 16, 33, 48, 64, 97, 200}) {
        const PackedMatrix a = operand(one.format, 7, k, spread, random);
        const PackedMatrix b = operand(one.format, 6, k, spread, random);
        const std::vector<uint32_t> c = starts(42, spread, random);
        const TruncatedOutputs expected = truncated_from_values(a, b, one.policy, c);
        const TruncatedOutputs d = gemm(a, b, one.policy, c);
        ASSERT_EQ(d.bits, expected.bits) << text(one) << ", k " << k;
        ASSERT_EQ(d.truncation, expected.truncation) << text(one) << ", k " << k;
        for (const uint8_t loss : d.truncation) {
          ++losses[loss];
        }
      }
    }
  }
  for (const int64_t count : losses) {
    EXPECT_GT(count, 500);  // every combination of losses was compared
  }
}

/// Elements [first, first + k) of the rows of `matrix`; both are multiples of the block.
PackedMatrix slice(const PackedMatrix& matrix, int64_t first, int64_t k) {
  PackedMatrix part = make_packed_matrix(matrix.format, matrix.rows, k);
  for (int64_t row = 0; row < matrix.rows; ++row) {
    std::copy_n(matrix.row_codes(row) + first / 2, part.code_stride(), part.row_codes(row));
    std::copy_n(matrix.row_scales(row) + first / matrix.format.block, part.scale_stride(),
                part.row_scales(row));
  }
  return part;
}

TEST(TruncatingGemm, LongerKIsAChainOfNodes) {
  std::mt19937 random(2);
  for (const Case& one : cases()) {
    const int64_t width = node_width(one.policy, one.format);
    const PackedMatrix a = operand(one.format, 9, 240, kSpreads[2], random);
    const PackedMatrix b = operand(one.format, 8, 240, kSpreads[2], random);
    const std::vector<uint32_t> c = starts(72, kSpreads[2], random);
    std::vector<uint32_t> sum = c;
    const int64_t end = a.blocks() * one.format.block;
    for (int64_t first = 0; first < end; first += width) {
      const int64_t k = std::min(width, end - first);
      sum = gemm(slice(a, first, k), slice(b, first, k), one.policy, sum).bits;
    }
    EXPECT_EQ(gemm(a, b, one.policy, c).bits, sum) << text(one);
  }
}

/// The whole of D from tiles that start at +0 and the host's multiplications and additions.
TruncatedOutputs with_macro_scales(const PackedMatrix& a, const PackedMatrix& b,
                                   Accumulation policy, const std::vector<uint32_t>& c,
                                   const GemmCorrections& corrections) {
  TruncatedOutputs d{c, std::vector<uint8_t>(c.size())};
  const int64_t length = corrections.macro_length();
  const int64_t end = a.blocks() * a.format.block;
  const int64_t macros = (a.k + length - 1) / length;
  for (int64_t macro = 0; macro < macros; ++macro) {
    const int64_t k = std::min(length, end - macro * length);
    const TruncatedOutputs tile =
        truncated_from_values(slice(a, macro * length, k), slice(b, macro * length, k), policy,
                              std::vector<uint32_t>(c.size()));
    for (int64_t i = 0; i < static_cast<int64_t>(c.size()); ++i) {
      const auto at = static_cast<size_t>(i);
      const float factor =
          corrections.a_macro->factors[static_cast<size_t>(i / b.rows * macros + macro)] *
          corrections.b_macro->factors[static_cast<size_t>(i % b.rows * macros + macro)];
      const float sum = bits_float(tile.bits[at]);
      const float start = bits_float(d.bits[at]);
      const float result = corrections.epilogue == MacroEpilogue::kFused
                               ? std::fma(sum, factor, start)
                               : sum * factor + start;
      d.bits[at] = std::isnan(result) ? kNan : float_bits(result);
      d.truncation[at] = static_cast<uint8_t>(
          std::isfinite(bits_float(c[at])) ? d.truncation[at] | tile.truncation[at] : 0);
    }
  }
  return d;
}

TEST(TruncatingGemm, TilesOfMacroBlocksTruncateAndEpiloguesRound) {
  std::mt19937 random(3);
  for (const Accumulation policy : kPolicies) {
    for (const Spread& spread : {kSpreads[1], kSpreads[4], kSpreads[6]}) {
      for (const int64_t length : {64, 128, 224}) {
        const PackedMatrix a = operand(kMxfp4, 9, 200, spread, random);
        const PackedMatrix b = operand(kMxfp4, 8, 200, spread, random);
        const std::vector<uint32_t> c = starts(72, spread, random);
        const auto factors = [&](int64_t rows) {
          MacroScales macro{length, {}};
          for (int64_t i = 0; i < rows * ((200 + length - 1) / length); ++i) {
            macro.factors.push_back(static_cast<float>(1024 + random() % 1024) * 0x1p-10F);
          }
          return macro;
        };
        const MacroScales a_macro = factors(9);
        const MacroScales b_macro = factors(8);
        GemmCorrections corrections;
        corrections.a_macro = &a_macro;
        corrections.b_macro = &b_macro;
        for (const MacroEpilogue epilogue : {MacroEpilogue::kFused, MacroEpilogue::kSeparate}) {
          corrections.epilogue = epilogue;
          const TruncatedOutputs expected = with_macro_scales(a, b, policy, c, corrections);
          const TruncatedOutputs d = gemm(a, b, policy, c, corrections);
          EXPECT_EQ(d.bits, expected.bits) << name_of(policy) << ", length " << length;
          EXPECT_EQ(d.truncation, expected.truncation) << name_of(policy) << ", length " << length;
        }
      }
    }
  }
}

TEST(TruncatingGemm, TensorScalesRoundToNearestAndNanIsTheNodes) {
  std::mt19937 random(4);
  PackedMatrix a = operand(kNvfp4, 5, 128, kSpreads[1], random);
  PackedMatrix b = operand(kNvfp4, 6, 128, kSpreads[1], random);
  std::vector<uint32_t> c = starts(30, kSpreads[1], random);
  c[0] = 0x7F800000;
  c[1] = 0x7FC00000;
  const TruncatedOutputs unscaled = truncated_from_values(a, b, Accumulation::kBlackwell, c);
  for (const float scale : {0.0F, 0x1.234568p-3F, HUGE_VALF, std::nanf("")}) {
    a.tensor_scale = scale;
    b.tensor_scale = 0.75F;
    const TruncatedOutputs d = gemm(a, b, Accumulation::kBlackwell, c);
    const float alpha = scale * 0.75F;
    for (size_t i = 0; i < c.size(); ++i) {
      const float result = bits_float(unscaled.bits[i]) * alpha;
      EXPECT_EQ(d.bits[i], std::isnan(result) ? kNan : float_bits(result)) << scale << ", " << i;
    }
    EXPECT_EQ(d.truncation, unscaled.truncation);
  }
}

TEST(TruncatingGemm, WithoutKCIsPassedOn) {
  for (const Accumulation policy : kPolicies) {
    const PackedMatrix a = make_packed_matrix(kMxfp4, 1, 0);
    const PackedMatrix b = make_packed_matrix(kMxfp4, 4, 0);
    const TruncatedOutputs d = gemm(a, b, policy, {0x80000000, 0x7FC00001, 0xFF800000, 0x80000001});
    EXPECT_THAT(d.bits, testing::ElementsAre(0x80000000, kNan, 0xFF800000, 0x80000001));
    EXPECT_THAT(d.truncation, testing::Each(0));
  }
}

TEST(TruncatingGemm, ThreadsDoNotChangeBits) {
  std::mt19937 random(5);
  const PackedMatrix a = operand(kMxfp4, 21, 300, kSpreads[2], random);
  const PackedMatrix b = operand(kMxfp4, 9, 300, kSpreads[2], random);
  const std::vector<uint32_t> c = starts(189, kSpreads[2], random);
  for (const Accumulation policy : kPolicies) {
    const TruncatedOutputs expected = gemm(a, b, policy, c);
    for (const int threads : {0, 2, 5}) {
      const TruncatedOutputs d = gemm(a, b, policy, c, {}, threads);
      EXPECT_EQ(d.bits, expected.bits);
      EXPECT_EQ(d.truncation, expected.truncation);
    }
  }
}

TEST(TruncatingGemm, FormatsAndCorrectionsWithoutArithmeticAreRefused) {
  const auto refused = [](const BlockFormat& format, Accumulation policy,
                          const GemmCorrections& corrections = {}) {
    const PackedMatrix matrix = make_packed_matrix(format, 1, 256);
    uint32_t d = 0;
    try {
      reference_gemm(matrix, matrix, policy, nullptr, &d, 1, corrections);
    } catch (const InputError&) {
      return true;
    }
    return false;
  };
  for (const BlockFormat& format : every_format()) {
    const bool groups = format.element == ElementKind::kE2m1 && format.block != 64;
    EXPECT_EQ(refused(format, Accumulation::kBlackwell), !groups);
    EXPECT_EQ(refused(format, Accumulation::kBlackwellV1), !groups);
    EXPECT_EQ(refused(format, Accumulation::kBlackwellMxf8f6f4),
              format.block != 32 || format.scale != ScaleKind::kE8m0);
  }
  const ResidualOperand residual{make_packed_matrix(kMxfp4, 1, 256), 64};
  GemmCorrections corrections;
  corrections.residual = &residual;
  for (const Accumulation policy : kPolicies) {
    EXPECT_TRUE(refused(kMxfp4, policy, corrections));
  }
}

TEST(TruncatingGemm, OtherPoliciesReportNoLoss) {
  std::mt19937 random(6);
  const PackedMatrix a = operand(kMxfp4, 4, 100, kSpreads[0], random);
  const PackedMatrix b = operand(kMxfp4, 3, 100, kSpreads[0], random);
  const std::vector<uint32_t> c = starts(12, kSpreads[0], random);
  for (const Accumulation policy :
       {Accumulation::kFp32Rne, Accumulation::kFp32Fused, Accumulation::kExact}) {
    EXPECT_THAT(gemm(a, b, policy, c).truncation, testing::Each(0));
  }
}

}  // namespace
}  // namespace nibblecore
