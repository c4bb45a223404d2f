// SPDX-License-Identifier: Apache-2.0
#include "tests/comparison/comparison_case.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "model/formats/fp16.hpp"
#include "tests/comparison/random_operand.hpp"
#include "tests/comparison/random_start.hpp"

namespace nibblecore::comparison {
namespace {

constexpr int64_t kLargestK = 512;

BlockFormat random_format(Accumulation policy, Dice& dice) {
  const std::array<BlockFormat, 7> formats{kMxfp4,
                                           kNvfp4,
                                           kHif4,
                                           make_block_format("mxfp4", 16, "ue8m0"),
                                           make_block_format("mxfp4", 32, "ue4m3"),
                                           make_block_format("mxfp4", 64, "ue8m0"),
                                           make_block_format("mxfp4", 64, "ue4m3")};
  if (policy == Accumulation::kBlackwellMxf8f6f4) {
    return kMxfp4;
  }
  if (is_truncating(policy)) {
    const std::array<size_t, 4> with_nodes{0, 1, 3, 4};
    return formats.at(with_nodes.at(static_cast<size_t>(dice.roll(4))));
  }
  // The three formats that have a name more often than the others.
  return formats.at(static_cast<size_t>(dice.roll(2) == 0 ? dice.roll(3) : dice.roll(7)));
}

int64_t random_k(Dice& dice) {
  const auto k = static_cast<int64_t>(-std::log(dice.unit()) * 60) + 1;
  const bool is_whole = dice.roll(2) == 0;
  return std::min(kLargestK, is_whole ? (k + 15) / 16 * 16 : k);
}

int64_t random_size(Dice& dice) {
  const int kind = dice.roll(48);
  return kind < 4 ? dice.between(1, 4) : kind == 4 ? dice.between(91, 260) : dice.between(20, 90);
}

/// Half of them where the product of two leaves FP32 at times.
float random_tensor_scale(Dice& dice) {
  const int reach = dice.roll(2) == 0 ? 20 : 75;
  return std::ldexp(1.0F + static_cast<float>(dice.unit()), dice.between(-reach, reach));
}

/// Elements of K in a macro block: whole additions of the policy, or all.
int64_t random_macro_length(Accumulation policy, const PackedMatrix& matrix, Dice& dice) {
  const int block = matrix.format.block;
  if (dice.roll(4) == 0) {
    return matrix.blocks() * block;
  }
  const int node = std::max(block, node_width(policy, matrix.format));
  return int64_t{node} * dice.between(1, 256 / node);
}

MacroScales random_factors(const PackedMatrix& matrix, int64_t length, bool is_any, Dice& dice) {
  MacroScales macro{length, {}};
  for (int64_t i = 0; i < matrix.rows * ceil_divide(matrix.k, length); ++i) {
    // Codes of 1/4 to 2, or of any positive finite number.
    const int code = is_any ? dice.between(1, 0x7BFF) : dice.between(0x3400, 0x3FFF);
    const ExactNumber number = decode(kFp16Format, static_cast<uint32_t>(code));
    macro.factors.push_back(std::ldexp(static_cast<float>(number.significand), number.exponent));
  }
  return macro;
}

}  // namespace

ComparisonCase::ComparisonCase(Accumulation policy, uint64_t seed) {
  Dice dice(seed);
  const BlockFormat format = random_format(policy, dice);
  const int64_t k = random_k(dice);
  const int64_t m = random_size(dice);
  const int64_t n = random_size(dice);
  const ScaleLaw law = random_scale_law(format.scale, dice);
  a_ = random_operand(format, m, k, law, dice);
  b_ = random_operand(format, n, k, law, dice);
  const int cancelling = dice.roll(8);
  if (cancelling == 0) {
    cancel_neighbours(a_, b_, dice);
  } else if (cancelling == 1) {
    cancel_blocks(a_, b_, dice);
  }
  if (format.scale == ScaleKind::kUe4m3 && dice.roll(2) == 0) {
    a_.tensor_scale = random_tensor_scale(dice);
    b_.tensor_scale = random_tensor_scale(dice);
  }
  c_ = random_start(a_, b_, dice);
  if (!is_truncating(policy) && dice.roll(4) == 0) {
    residual_ = random_operand(format, m, k, law, dice);
    residual_.tensor_scale = a_.tensor_scale;
    const std::array<int64_t, 3> granules{64, 128, k};
    residual_operand_.emplace(
        ResidualOperand{residual_, granules.at(static_cast<size_t>(dice.roll(3)))});
    corrections_.residual = &*residual_operand_;
    if (dice.roll(3) == 0) {
      corrections_.residual_alpha =
          std::ldexp(static_cast<float>(dice.unit()), dice.between(-8, 8));
    }
  }
  if (format.scale != ScaleKind::kUe4m3 && dice.roll(5) == 0) {
    const int64_t length = random_macro_length(policy, a_, dice);
    const bool is_any = dice.roll(3) == 0;
    a_macro_ = random_factors(a_, length, is_any, dice);
    b_macro_ = random_factors(b_, length, is_any, dice);
    const int alone = dice.roll(6);
    corrections_.a_macro = alone == 0 ? nullptr : &a_macro_;
    corrections_.b_macro = alone == 1 ? nullptr : &b_macro_;
    corrections_.epilogue = dice.roll(2) == 0 ? MacroEpilogue::kFused : MacroEpilogue::kSeparate;
  }
}

std::string ComparisonCase::description() const {
  return std::string(scale_name(a_.format.scale)) + " blocks of " +
         std::to_string(a_.format.block) + ", " + std::to_string(a_.rows) + " x " +
         std::to_string(b_.rows) + " x " + std::to_string(a_.k) +
         (corrections_.residual != nullptr ? ", residual" : "") +
         (corrections_.residual_alpha ? " with alpha" : "") +
         (corrections_.macro_length() > 0 ? ", macro scales" : "") + (c_.empty() ? "" : ", C");
}

}  // namespace nibblecore::comparison
