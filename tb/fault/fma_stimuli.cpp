// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cmath>
#include <random>
#include <utility>

#include "model/common/bits.hpp"
#include "model/quantize/quantize.hpp"
#include "model/quantize/residual.hpp"
#include "model/reference/gemm.hpp"
#include "tb/fault/addend.hpp"
#include "tb/fault/fault_stimuli.hpp"

namespace nibblecore::tb {
namespace {

constexpr int64_t kRows = 2;
constexpr int64_t kColumns = 48;
constexpr int64_t kK = 192;
constexpr int kStimuli = 48;
constexpr int kFractionBits = 23;
constexpr uint8_t kOneUnit = 2;  // the code of an element that is a power of two, as is its half
constexpr int64_t kQuad = 4;

/// The residual alone has products: in every four elements of A one is large, the others are lost
/// in quantization, and B is zero where A is not. Start values are the other addend.
class FmaStimuli {
 public:
  FmaStimuli(const BlockFormat& format, uint64_t seed, FaultStimuli& stimuli)
      : format_(format), preset_(preset(format, "")), random_(seed), stimuli_(stimuli) {}

  void add_all() {
    for (int i = 0; i < kStimuli; ++i) {
      add(i % 8 == 7 ? OutputWidth::kBf16 : OutputWidth::kFp32);
    }
    constexpr int kLastBits = 12;
    constexpr int kRounds = 3;
    for (const bool half : {false, true}) {
      for (int i = 0; i < kRounds * kLastBits; ++i) {
        add_last_bits(i % kLastBits, kFractionBits + 1, half);
      }
      add_last_bits(0, 1, half);
    }
    add_least_bit();
  }

 private:
  int between(int least, int most) {
    return least + static_cast<int>(random_() % static_cast<uint64_t>(most - least + 1));
  }

  float signed_power(float significand, int exponent) {
    const float magnitude = std::ldexp(significand, exponent);
    return random_() % 2 == 0 ? magnitude : -magnitude;
  }

  std::vector<uint32_t> values_of_a() {
    std::vector<uint32_t> values;
    for (int64_t i = 0; i < kRows * kK; ++i) {
      const float significand = 1.0F + static_cast<float>(random_() % 1024) / 1024;
      const bool is_large = i % kQuad == 0;
      values.push_back(float_bits(signed_power(significand, is_large ? 0 : -between(5, 8))));
    }
    return values;
  }

  /// Codes of B where A has none; in a sparse column one.
  PackedMatrix codes_of_b(const PackedMatrix& a) {
    PackedMatrix b = make_packed_matrix(format_, kColumns, kK);
    for (int64_t column = 0; column < kColumns; ++column) {
      const bool sparse = random_() % 3 == 0;
      const int64_t only = kQuad * between(0, static_cast<int>(kK / kQuad) - 1) + between(1, 3);
      for (int64_t k = 0; k < kK; ++k) {
        const bool is_zero =
            ((packed_code(a.row_codes(0), k) | packed_code(a.row_codes(1), k)) & 7) != 0;
        if (!is_zero && (!sparse || k == only)) {
          set_packed_code(b.row_codes(column), k, static_cast<uint8_t>(random_() % 16));
        }
      }
      fill_scales(b, column);
    }
    return b;
  }

  /// Blocks that take the sum over all of an accumulator's bits.
  void fill_scales(PackedMatrix& b, int64_t column) {
    const bool is_hif4 = format_.scale == ScaleKind::kHif4;
    for (int64_t block = 0; block < b.blocks(); ++block) {
      uint8_t* scale = b.row_scales(column) + block * format_.scale_bytes();
      const int below = static_cast<int>(block) * between(0, is_hif4 ? 18 : 9);
      if (is_hif4) {
        scale[0] = static_cast<uint8_t>(((48 - below) << 2) + between(0, 3) * between(0, 1));
        for (int64_t i = 1; i < format_.scale_bytes(); ++i) {
          scale[i] = static_cast<uint8_t>(random_());
        }
      } else {
        scale[0] = static_cast<uint8_t>(127 - below);
      }
    }
  }

  float alpha(double typical) {
    constexpr std::array<float, 6> kFew{1.0F, 1.0F, 1.5F, 1.25F, 1.125F, 1.03125F};
    const float significand = random_() % 2 == 0
                                  ? kFew.at(random_() % kFew.size())
                                  : 1.0F + static_cast<float>(random_() & 0x7FFFFF) / 0x800000;
    constexpr int kLeast = -149;
    const int exponent = random_() % 4 == 0   ? between(kLeast - 4, kLeast + 30)
                         : random_() % 8 == 0 ? between(118, 126)
                                              : between(-120, 120);
    const int of_residual = typical == 0 ? 0 : std::ilogb(typical);
    return signed_power(significand, std::clamp(exponent - of_residual, -126, 126));
  }

  void add(OutputWidth width) {
    const std::vector<uint32_t> values = values_of_a();
    const PackedMatrix b = codes_of_b(packed(values));
    const std::vector<uint32_t> residuals = residual_sums(values, b);
    const float factor = alpha(static_cast<double>(bits_float(residuals.front())));
    std::vector<uint32_t> starts;
    for (const uint32_t bits : residuals) {
      starts.push_back(random_addend(
          static_cast<double>(factor) * static_cast<double>(bits_float(bits)), random_));
    }
    push(width, values, b, std::move(starts), factor);
  }

  /// Two factors of few bits, whose product has one bit far below the others: 1 + 2^-i or 1.5 +
  /// 2^-i with i = kFractionBits - `first`, times the like of each column.
  void add_last_bits(int first, int distances, bool half) {
    const std::vector<uint32_t> values = power_values();
    const PackedMatrix b = pairs_of_b(distances, half);
    const std::vector<uint32_t> residuals = residual_sums(values, b);
    const float factor =
        signed_power((half ? 1.5F : 1.0F) + std::ldexp(1.0F, first - kFractionBits), 0);
    std::vector<uint32_t> starts;
    for (const uint32_t bits : residuals) {
      const double product = static_cast<double>(factor) * static_cast<double>(bits_float(bits));
      switch (random_() % 4) {
        case 0:
          starts.push_back(0);
          break;
        case 1:
          starts.push_back(static_cast<uint32_t>(std::ilogb(product) + 127 - between(44, 60))
                           << kFractionBits);
          break;
        default:
          starts.push_back(tie_but_for_the_last(product));
      }
    }
    push(OutputWidth::kFp32, values, b, std::move(starts), factor);
  }

  /// A product from 2 to 4 whose only bit below a tie is its least one, 2^-46:
  /// (1 + 2^-11 + 2^-23) (2 - 4095 * 2^-23). The greater addend is taken off it, and leaves an odd
  /// number above the tie.
  void add_least_bit() {
    constexpr std::array<int, 3> kBelow{0, 11, 23};
    const std::vector<uint32_t> values = power_values();
    PackedMatrix b = make_packed_matrix(format_, kColumns, kK);
    for (int64_t column = 0; column < kColumns; ++column) {
      for (size_t i = 0; i < kBelow.size(); ++i) {
        const auto block = static_cast<int64_t>(i);
        set_packed_code(b.row_codes(column), block * format_.block + 1, kOneUnit);
        set_exponent(b, column, block, -kBelow.at(i));
      }
    }
    const auto factor = static_cast<float>((1 << 24) - 4095);
    std::vector<uint32_t> starts;
    for (const uint32_t bits : residual_sums(values, b)) {
      const int top =
          std::ilogb(static_cast<double>(factor) * static_cast<double>(bits_float(bits)));
      starts.push_back(0x80000000U | (static_cast<uint32_t>(top + 1 + 127) << kFractionBits) |
                       static_cast<uint32_t>(random_() & 0x3FFFFF));
    }
    push(OutputWidth::kFp32, values, b, std::move(starts), factor);
  }

  /// Maxima that quantize to themselves, and between them powers of two that do as residuals.
  std::vector<uint32_t> power_values() const {
    const float largest = format_.scale == ScaleKind::kHif4 ? 1.75F : 1.0F;
    const std::array<float, kQuad> quad{largest, 0x1p-6F, 0x1p-6F, largest * 0x1p-6F};
    std::vector<uint32_t> values;
    for (int64_t i = 0; i < kRows * kK; ++i) {
      values.push_back(float_bits(quad.at(static_cast<size_t>(i % kQuad))));
    }
    return values;
  }

  /// The scale 2^exponent, without micro-exponents.
  void set_exponent(PackedMatrix& b, int64_t column, int64_t block, int exponent) const {
    const bool is_hif4 = format_.scale == ScaleKind::kHif4;
    b.row_scales(column)[block * format_.scale_bytes()] =
        static_cast<uint8_t>(is_hif4 ? (48 + exponent) << 2 : 127 + exponent);
  }

  /// Equal codes in two blocks, the second one under a scale that is 2^-23 of the first's, or more
  /// in as many columns as there are distances.
  PackedMatrix pairs_of_b(int distances, bool half) const {
    PackedMatrix b = make_packed_matrix(format_, kColumns, kK);
    for (int64_t column = 0; column < kColumns; ++column) {
      set_packed_code(b.row_codes(column), 1, kOneUnit);
      set_packed_code(b.row_codes(column), 2, half ? kOneUnit / 2 : 0);
      set_packed_code(b.row_codes(column), format_.block + 1, kOneUnit);
      for (int64_t block = 0; block < b.blocks(); ++block) {
        set_exponent(b, column, block, 0);
      }
      const int below = kFractionBits - static_cast<int>(column) / 2 % distances;
      set_exponent(b, column, 1, -below);
    }
    return b;
  }

  /// A greater addend, with which the product's bits but the last one end in a tie.
  uint32_t tie_but_for_the_last(double product) {
    constexpr int kTop = 47;
    constexpr int kTries = 64;
    const int scale = kTop - std::ilogb(product);
    const auto integer = static_cast<int64_t>(std::ldexp(std::fabs(product), scale));
    const int64_t rest = integer & (integer - 1);
    const int64_t guard = rest & -rest;
    for (int i = 0; i < kTries && guard != 0 && guard < int64_t{1} << 32; ++i) {
      const int64_t significand = between(1 << kFractionBits, (2 << kFractionBits) - 1);
      const bool subtracts = random_() % 2 == 0;
      const int64_t addend = significand * guard * (subtracts ? 4 : 2);
      const int64_t sum = (subtracts ? addend - rest : addend + rest) / guard;
      if (addend > integer && sum >= 2 << kFractionBits && sum < 4 << kFractionBits) {
        const double value = std::ldexp(static_cast<double>(addend), -scale);
        return float_bits(static_cast<float>(subtracts == (product < 0) ? value : -value));
      }
    }
    return float_bits(static_cast<float>(-product));
  }

  PackedMatrix packed(const std::vector<uint32_t>& values) const {
    return quantize({values.data(), ValueType::kF32, kRows, kK, kK, 1}, preset_, 1);
  }

  std::vector<uint32_t> residual_sums(const std::vector<uint32_t>& values,
                                      const PackedMatrix& b) const {
    const MatrixView view{values.data(), ValueType::kF32, kRows, kK, kK, 1};
    const PackedMatrix residual = quantize_residual(view, quantize(view, preset_, 1), preset_, 1);
    std::vector<uint32_t> sums(static_cast<size_t>(kRows * kColumns));
    reference_gemm(residual, b, Accumulation::kFp32Rne, nullptr, sums.data(), 1);
    return sums;
  }

  void push(OutputWidth width, const std::vector<uint32_t>& values, const PackedMatrix& b,
            std::vector<uint32_t> starts, float factor) {
    GemmSpec spec{kRows, kColumns, kK, format_};
    spec.residual = ResidualPattern::kDense;
    spec.residual_accumulator = ResidualAccumulator::kOwn;
    spec.output = width;
    stimuli_.push_back(std::make_unique<FaultStimulus>(
        "product and addend", spec, preset_, FaultOperand{OperandPath::kOnlineFp32, {}, values},
        FaultOperand{OperandPath::kPacked, b, {}}, std::move(starts), factor));
  }

  BlockFormat format_;
  const Preset& preset_;
  std::mt19937_64 random_;
  FaultStimuli& stimuli_;
};

}  // namespace

void add_fma_stimuli(const BlockFormat& format, uint64_t seed, FaultStimuli& stimuli) {
  FmaStimuli(format, seed, stimuli).add_all();
}

}  // namespace nibblecore::tb
