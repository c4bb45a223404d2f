// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "model/common/checked.hpp"
#include "model/formats/fp16.hpp"
#include "model/formats/gemm_corrections.hpp"
#include "tests/support/random_matrix.hpp"

namespace nibblecore::test {

/// Where the sums of a random GEMM lie.
enum class Magnitudes {
  kOrdinary,   ///< near 1
  kAnywhere,   ///< any scale and factor
  kNearLimit,  ///< E8M0: sums overflow to infinities of both signs
  kNearZero    ///< E8M0: sums and products are subnormal or less
};

inline PackedMatrix random_operand(const BlockFormat& format, int64_t rows, int64_t k,
                                   Magnitudes magnitudes, std::mt19937& random) {
  const Scales scales =
      magnitudes == Magnitudes::kAnywhere ? Scales::kAnyFinite : Scales::kOrdinary;
  PackedMatrix matrix = random_matrix(format, rows, k, random, scales);
  if (format.scale == ScaleKind::kE8m0) {
    const int shift = magnitudes == Magnitudes::kNearLimit  ? 57
                      : magnitudes == Magnitudes::kNearZero ? -78
                                                            : 0;
    for (uint8_t& code : matrix.scales) {
      code = static_cast<uint8_t>(code + shift);
    }
  }
  return matrix;
}

/// FP32 bits of accumulators to start from, many of them -0 or special.
inline std::vector<uint32_t> random_starts(int64_t count, std::mt19937& random) {
  constexpr uint32_t kSpecials[] = {0,          0x80000000, 1,          0x80000001,
                                    0x7F800000, 0xFF800000, 0x7F7FFFFF, 0xFF7FFFFF};
  std::vector<uint32_t> starts;
  for (int64_t i = 0; i < count; ++i) {
    const auto style = static_cast<uint32_t>(random() % 8);
    const uint32_t near_one = (static_cast<uint32_t>(random()) & 0x87FFFFFF) | 0x38000000;
    starts.push_back(style == 0 ? kSpecials[random() % 8] : style < 4 ? 0x80000000 : near_one);
  }
  return starts;
}

inline MacroScales random_macro_scales(const PackedMatrix& matrix, int64_t length,
                                       Magnitudes magnitudes, std::mt19937& random) {
  MacroScales macro{length, {}};
  for (int64_t i = 0; i < matrix.rows * ceil_divide(matrix.k, length); ++i) {
    // Codes of 1/4 to 2, or any of a positive finite number.
    const auto code = static_cast<uint32_t>(
        magnitudes == Magnitudes::kOrdinary ? 0x3400 + random() % 0x0C00 : 1 + random() % 0x7BFF);
    macro.factors.push_back(static_cast<float>(decode_double(kFp16Format, code)));
  }
  return macro;
}

/// Operands and corrections that go together, drawn at random; `corrections` points into it.
class RandomCorrectedGemm {
 public:
  /// Macro blocks have one of `macro_lengths` (those that the format takes; 0 for none).
  RandomCorrectedGemm(const PackedMatrix& a_operand, const PackedMatrix& b_operand,
                      Magnitudes magnitudes, const std::vector<int64_t>& macro_lengths,
                      std::mt19937& random)
      : a(a_operand),
        b(b_operand),
        c(random_starts(a.rows * b.rows, random)),
        residual_(random_operand(a.format, a.rows, a.k, magnitudes, random)) {
    residual_.tensor_scale = a.tensor_scale;
    if (random() % 4 != 0) {
      draw_residual(random);
    }
    const int64_t length = macro_lengths[random() % macro_lengths.size()];
    if (length != 0 && length % a.format.block == 0 && a.format.scale != ScaleKind::kUe4m3) {
      draw_macro_scales(length, magnitudes, random);
    }
  }
  RandomCorrectedGemm(const RandomCorrectedGemm&) = delete;
  RandomCorrectedGemm& operator=(const RandomCorrectedGemm&) = delete;

  PackedMatrix a;
  PackedMatrix b;
  std::vector<uint32_t> c;  ///< [m, n]
  GemmCorrections corrections;

  /// What distinguishes this draw, for a failure's message.
  std::string text() const {
    const ResidualOperand* residual = corrections.residual;
    return std::string(scale_name(a.format.scale)) + " blocks of " +
           std::to_string(a.format.block) + ", " + std::to_string(a.rows) + " x " +
           std::to_string(b.rows) + " x " + std::to_string(a.k) + ", granule " +
           std::to_string(residual == nullptr ? 0 : residual->granule) + ", alpha " +
           (corrections.residual_alpha ? std::to_string(*corrections.residual_alpha) : "none") +
           ", macro blocks of " + std::to_string(corrections.macro_length()) +
           (corrections.a_macro != nullptr ? " of A" : "") +
           (corrections.b_macro != nullptr ? " of B" : "") +
           (corrections.epilogue == MacroEpilogue::kFused ? ", fused" : ", separate");
  }

 private:
  void draw_residual(std::mt19937& random) {
    const int64_t granules[] = {64, 128, a.k};
    residual_operand_.emplace(ResidualOperand{residual_, granules[random() % 3]});
    corrections.residual = &*residual_operand_;
    constexpr float kAlphas[] = {0, 0.5F, 0.75F, 1, -0.0F, -1, 0x1.234568p-3F, 0x1.fffffep+127F};
    if (random() % 2 != 0) {
      corrections.residual_alpha = kAlphas[random() % 8];
    }
  }

  void draw_macro_scales(int64_t length, Magnitudes magnitudes, std::mt19937& random) {
    const auto which = static_cast<uint32_t>(random() % 4);
    if (which != 0) {
      a_macro_ = random_macro_scales(a, length, magnitudes, random);
      corrections.a_macro = &a_macro_;
    }
    if (which != 1) {
      b_macro_ = random_macro_scales(b, length, magnitudes, random);
      corrections.b_macro = &b_macro_;
    }
    corrections.epilogue = random() % 2 == 0 ? MacroEpilogue::kFused : MacroEpilogue::kSeparate;
  }

  PackedMatrix residual_;
  std::optional<ResidualOperand> residual_operand_;
  MacroScales a_macro_;
  MacroScales b_macro_;
};

}  // namespace nibblecore::test
