// SPDX-License-Identifier: Apache-2.0
#include "model/emulate/nvfp4_quantizer.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "model/common/bits.hpp"
#include "model/common/error.hpp"
#include "model/emulate/quantize_batch.hpp"
#include "model/emulate/quantize_e2m1.hpp"
#include "model/formats/block_format.hpp"
#include "model/formats/ue4m3.hpp"

namespace nibblecore {
namespace {

constexpr float kLargestFp32 = std::numeric_limits<float>::max();

template <Rounding kRounding>
struct Nvfp4Coder {
  template <int Width>
  [[gnu::always_inline]] static void prepare(const typename QuantizeLanes<Width>::Int& bits,
                                             typename QuantizeLanes<Width>::Float& values) {
    values = reinterpret_cast<typename QuantizeLanes<Width>::Float>(bits);
  }

  /// Products may be infinite, or -0, which is not negative.
  template <int Width>
  [[gnu::always_inline]] static void code(const typename QuantizeLanes<Width>::Int& /*bits*/,
                                          const typename QuantizeLanes<Width>::Float& scaled,
                                          typename QuantizeLanes<Width>::Int& code) {
    using Int = typename QuantizeLanes<Width>::Int;
    using Float = typename QuantizeLanes<Width>::Float;
    const Int scaled_bits = reinterpret_cast<Int>(scaled);
    const Int magnitude = scaled_bits & 0x7FFFFFFF;
    E2m1Lanes<Width, kRounding>::round(reinterpret_cast<Float>(magnitude), code);
    code |= ((scaled_bits & -magnitude) >> 28) & 8;
  }
};

/// `Width` blocks of a tensor without NaN.
template <Rounding kRounding>
struct Nvfp4Batch {
  static constexpr int kBlock = 16;
  static constexpr int kScaleBytes = 1;

  float scale_factor;  ///< from a block's largest magnitude to its scale
  const float* factors;

  template <int Width, ValueType kType>
  [[gnu::always_inline]] void run(const unsigned char* values, uint8_t* codes,
                                  uint8_t* scales) const {
    typename QuantizeLanes<Width>::Int largest;
    largest_of_blocks<Width, kType, kBlock>(values, largest);
    set_scales<Width>(largest, scales);
    std::array<float, Width> block_factors;
    for (size_t block = 0; block < Width; ++block) {
      block_factors[block] = factors[scales[block]];
    }
    encode_batch<Width, kType, kBlock, kBlock, Nvfp4Coder<kRounding>>(values, block_factors.data(),
                                                                      codes);
  }

 private:
  /// As E2m1Lanes rounds: UE4M3's last place in the binade 2^e is 2^(e - 3), and that of 2^(e + 20)
  /// in FP32.
  template <int Width>
  [[gnu::always_inline]] void set_scales(const typename QuantizeLanes<Width>::Int& largest,
                                         uint8_t* scales) const {
    using Lanes = QuantizeLanes<Width>;
    using Int = typename Lanes::Int;
    using Float = typename Lanes::Float;
    constexpr int32_t kBitsOfLargest = 0x43E00000;         // of 448
    constexpr int32_t kBitsOfSmallestNormal = 0x3C800000;  // of 2^-6
    constexpr int32_t kLastPlace = 20 << 23;
    const Float scale = reinterpret_cast<Float>(largest) * scale_factor;
    Int bits = reinterpret_cast<Int>(scale);
    Lanes::lower(Int{} + kBitsOfLargest, bits);
    Int binade = bits & 0x7F800000;
    Lanes::raise(Int{} + kBitsOfSmallestNormal, binade);
    const Int offset = binade + kLastPlace;
    const Float sum = reinterpret_cast<Float>(bits) + reinterpret_cast<Float>(offset);
    // Each binade begins 8 codes behind the one below it.
    const Int code = reinterpret_cast<Int>(sum) - offset + ((binade - kBitsOfSmallestNormal) >> 20);
    Lanes::store_bytes(code, scales);
  }
};

}  // namespace

bool has_nvfp4_quantizer(const Nvfp4Rule& rule) {
  return rule.rounding != Rounding::kStochastic && rule.tensor == Nvfp4TensorRule::kEncodeFactor &&
         rule.scale == Nvfp4ScaleRule::kFoldedSixth &&
         rule.element == Nvfp4ElementRule::kFp32Reciprocal;
}

Nvfp4Quantizer::Nvfp4Quantizer(uint32_t largest_bits, Rounding rounding)
    : rounding_(rounding), encode_(448.0F * 6.0F / bits_float(largest_bits)), decode_(0) {
  // An infinite value leaves 0; a NaN passes every comparison.
  encode_ = encode_ > kLargestFp32 ? kLargestFp32 : encode_ == 0 ? 1.0F : encode_;
  decode_ = 1 / encode_;
  for (uint32_t code = 0; code < factors_.size(); ++code) {
    const float scale = static_cast<float>(decode_double(kUe4m3Format, code)) * decode_;
    factors_[code] = std::min(1 / scale, kLargestFp32);
  }
}

void Nvfp4Quantizer::quantize(const QuantizeSpan& span, EmulatorTarget target) const {
  if (std::isnan(encode_)) {
    const int64_t blocks = ceil_divide(span.count, kNvfp4.block);
    std::fill_n(span.codes, blocks * kNvfp4.block / 2, uint8_t{0});
    std::fill_n(span.scales, blocks, kUe4m3Nan);
    return;
  }
  const float scale_factor = encode_ * (1.0F / 6.0F);
  const float* const factors = factors_.data();
  switch (rounding_) {
    case Rounding::kNearestEven:
      return quantize_span(span, Nvfp4Batch<Rounding::kNearestEven>{scale_factor, factors}, target);
    case Rounding::kNearestAway:
      return quantize_span(span, Nvfp4Batch<Rounding::kNearestAway>{scale_factor, factors}, target);
    case Rounding::kNearestZero:
      return quantize_span(span, Nvfp4Batch<Rounding::kNearestZero>{scale_factor, factors}, target);
    case Rounding::kTowardZero:
      return quantize_span(span, Nvfp4Batch<Rounding::kTowardZero>{scale_factor, factors}, target);
    case Rounding::kStochastic:
      break;
  }
  throw InternalError("the vectorised quantizer has no such rounding");
}

}  // namespace nibblecore
