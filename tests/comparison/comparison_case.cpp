// SPDX-License-Identifier: Apache-2.0
#include "tests/comparison/comparison_case.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "model/formats/fp16.hpp"
#include "tests/comparison/random_operand.hpp"

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
  return dice.roll(12) == 0 ? dice.between(1, 4) : dice.between(20, 90);
}

std::vector<uint32_t> random_start(int64_t outputs, Dice& dice) {
  constexpr std::array<uint32_t, 12> specials{0,          0x80000000, 1,          0x80000001,
                                              0x7F800000, 0xFF800000, 0x7F7FFFFF, 0xFF7FFFFF,
                                              0x7FC12345, 0x007FFFFF, 0x00800000, 0x7F812345};
  const int law = dice.roll(5);
  if (law == 0) {
    return {};
  }
  const int exponent = dice.between(1, 254);
  std::vector<uint32_t> start(static_cast<size_t>(outputs));
  for (uint32_t& bits : start) {
    const uint32_t sign = dice.bits() & 0x80000000;
    const auto near = static_cast<uint32_t>(std::clamp(exponent + dice.between(-30, 30), 0, 254))
                      << 23;
    bits = law == 1 || dice.roll(100) == 0 ? specials.at(static_cast<size_t>(dice.roll(12)))
           : law == 2                      ? sign
           : law == 3                      ? dice.bits()
                                           : sign | near | (dice.bits() & 0x7FFFFF);
  }
  return start;
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
  if (dice.roll(8) == 0) {
    make_cancelling(a_, b_, dice);
  }
  if (format.scale == ScaleKind::kUe4m3 && dice.roll(2) == 0) {
    a_.tensor_scale = std::ldexp(1.0F + static_cast<float>(dice.unit()), dice.between(-20, 20));
    b_.tensor_scale = std::ldexp(1.0F + static_cast<float>(dice.unit()), dice.between(-20, 20));
  }
  c_ = random_start(m * n, dice);
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
    const int64_t length = int64_t{64} * dice.between(1, 4);
    const bool is_any = dice.roll(3) == 0;
    a_macro_ = random_factors(a_, length, is_any, dice);
    b_macro_ = random_factors(b_, length, is_any, dice);
    corrections_.a_macro = &a_macro_;
    corrections_.b_macro = dice.roll(3) == 0 ? nullptr : &b_macro_;
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
