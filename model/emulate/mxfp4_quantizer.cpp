// SPDX-License-Identifier: Apache-2.0
#include "model/emulate/mxfp4_quantizer.hpp"

#include <algorithm>
#include <array>
#include <cstring>

#include "model/common/error.hpp"
#include "model/emulate/quantize_batch.hpp"
#include "model/emulate/quantize_e2m1.hpp"
#include "model/formats/e8m0.hpp"
#include "model/formats/packed_matrix.hpp"

namespace nibblecore {
namespace {

/// What is added to the bits of a block's largest magnitude so that its exponent field moves up
/// exactly where the rule has it so.
uint32_t scale_addend(ScaleRule rule) {
  constexpr uint32_t kNextExponent = 0x800000;
  switch (rule) {
    case ScaleRule::kRceil:
      return kNextExponent - 0x400001;  // from the first significand above 1.5
    case ScaleRule::kFloor:
      return 0;
    case ScaleRule::kCeil:
      return kNextExponent - 0x000001;
    case ScaleRule::kEven:
      return kNextExponent - 0x600000;  // from 1.75
    case ScaleRule::kOas:
      return kNextExponent - 0x600001;
    case ScaleRule::kFourThirds:
    case ScaleRule::kBestPowerOfTwo:
    case ScaleRule::kIdeal:
      break;
  }
  throw InternalError("the vectorised quantizer has no such scale rule");
}

template <Rounding kRounding>
struct Mxfp4Coder {
  template <int Width>
  [[gnu::always_inline]] static void prepare(const typename QuantizeLanes<Width>::Int& bits,
                                             typename QuantizeLanes<Width>::Float& magnitudes) {
    const typename QuantizeLanes<Width>::Int magnitude_bits = bits & 0x7FFFFFFF;
    magnitudes = reinterpret_cast<typename QuantizeLanes<Width>::Float>(magnitude_bits);
  }

  /// The factor was a power of two: `scaled` is exact, or too small to be anything but 0.
  template <int Width>
  [[gnu::always_inline]] static void code(const typename QuantizeLanes<Width>::Int& bits,
                                          const typename QuantizeLanes<Width>::Float& scaled,
                                          typename QuantizeLanes<Width>::Int& code) {
    E2m1Lanes<Width, kRounding>::round(scaled, code);
    code |= (bits >> 28) & 8;
  }
};

/// `Width` blocks of 32; codes of blocks that are not finite are anything.
template <Rounding kRounding>
struct Mxfp4Batch {
  static constexpr int kBlock = 32;
  static constexpr int kScaleBytes = 1;

  uint32_t addend;

  template <int Width, ValueType kType>
  [[gnu::always_inline]] void run(const unsigned char* values, uint8_t* codes,
                                  uint8_t* scales) const {
    typename QuantizeLanes<Width>::Int largest;
    largest_of_blocks<Width, kType, kBlock>(values, largest);
    std::array<float, Width> factors;
    set_scales<Width>(largest, scales, factors.data());
    encode_batch<Width, kType, kBlock, kBlock, Mxfp4Coder<kRounding>>(values, factors.data(),
                                                                      codes);
  }

 private:
  /// The scale codes, and the reciprocals of their scales.
  template <int Width>
  [[gnu::always_inline]] void set_scales(const typename QuantizeLanes<Width>::Int& largest,
                                         uint8_t* scales, float* factors) const {
    using Lanes = QuantizeLanes<Width>;
    using Int = typename Lanes::Int;
    using Word = typename Lanes::Word;
    constexpr int kElementExponent = 2;  // of 6, E2M1's largest
    Int code =
        reinterpret_cast<Int>((reinterpret_cast<Word>(largest) + addend) >> 23) - kElementExponent;
    Lanes::raise(Int{}, code);
    code = largest < 0x7F800000 ? code : Int{} + kE8m0Nan;
    Lanes::store_bytes(code, scales);
    Int factor = 254 - code;
    Lanes::template shift_left<23>(factor);
    Lanes::store(factor, factors);
  }
};

/// Puts `code` into every element of the NaN blocks.
void fill_nan_blocks(const QuantizeSpan& span, uint8_t code) {
  const int64_t blocks = ceil_divide(span.count, kMxfp4.block);
  const uint8_t* const end = span.scales + blocks;
  for (const uint8_t* scale = span.scales;; ++scale) {
    scale =
        static_cast<const uint8_t*>(std::memchr(scale, kE8m0Nan, static_cast<size_t>(end - scale)));
    if (scale == nullptr) {
      return;
    }
    const int64_t first = (scale - span.scales) * kMxfp4.block;
    std::fill_n(span.codes + first / 2, kMxfp4.block / 2, uint8_t{0});
    for (int64_t i = first; i < std::min(span.count, first + kMxfp4.block); ++i) {
      set_packed_code(span.codes, i, code);
    }
  }
}

void quantize_finite(const QuantizeSpan& span, const Mxfp4Rule& rule, EmulatorTarget target) {
  const uint32_t addend = scale_addend(rule.scale);
  switch (rule.rounding) {
    case Rounding::kNearestEven:
      return quantize_span(span, Mxfp4Batch<Rounding::kNearestEven>{addend}, target);
    case Rounding::kNearestAway:
      return quantize_span(span, Mxfp4Batch<Rounding::kNearestAway>{addend}, target);
    case Rounding::kNearestZero:
      return quantize_span(span, Mxfp4Batch<Rounding::kNearestZero>{addend}, target);
    case Rounding::kTowardZero:
      return quantize_span(span, Mxfp4Batch<Rounding::kTowardZero>{addend}, target);
    case Rounding::kStochastic:
      break;
  }
  throw InternalError("the vectorised quantizer has no such rounding");
}

}  // namespace

bool has_mxfp4_quantizer(const Mxfp4Rule& rule) {
  const bool has_scale =
      std::any_of(kExponentRules.begin(), kExponentRules.end(),
                  [&](const ScaleRuleRecord& record) { return record.rule == rule.scale; });
  return has_scale && rule.rounding != Rounding::kStochastic && rule.quirks.empty();
}

void quantize_mxfp4_span(const QuantizeSpan& span, const Mxfp4Rule& rule, EmulatorTarget target) {
  quantize_finite(span, rule, target);
  fill_nan_blocks(span, rule.code_under_nan);
}

}  // namespace nibblecore
