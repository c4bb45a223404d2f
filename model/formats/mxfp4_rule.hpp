// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>

#include "model/formats/rounding.hpp"
#include "model/formats/scale_rule.hpp"

namespace nibblecore {

/// Where a peer's MXFP4 quantizer leaves the exact rules. A = largest magnitude of the block.
enum class Mxfp4Quirk : uint32_t {
  kLog2f = 1U << 0,
  kLog2fCeil = 1U << 1,
  kFp32Quotient = 1U << 2,
  kReciprocalSixth = 1U << 3,
  kSubnormalBump = 1U << 4,
  kEvenOverflowNan = 1U << 5,
  kUint8Wrap = 1U << 6,
  kNanIgnored = 1U << 7,
  kNanRefused = 1U << 8,
  kNanWrapsToZero = 1U << 9,
  kInfinityScale254 = 1U << 10,
  kInfiniteScale = 1U << 11,
  kCodeZeroIsZero = 1U << 12,
  kFp32HalfAdd = 1U << 13,
  kFp32Scale = 1U << 14,
  kSmallestFp32Error = 1U << 15,
  kNanElementCodes = 1U << 16,
  kPositiveZero = 1U << 17,
  kMinusZeroPositive = 1U << 18,
  kUnderflowLosesSign = 1U << 19,
  kFlushSubnormalBlocks = 1U << 20,
  kCodesDropZeroSign = 1U << 21,
  kDecodeClamps = 1U << 22,
};

struct Mxfp4QuirkRecord {
  std::string_view name;
  Mxfp4Quirk quirk;
  std::string_view meaning;
};
/// First those of the scale, then those of elements, then of decoding.
inline constexpr std::array<Mxfp4QuirkRecord, 23> kMxfp4Quirks{{
    {"log2f", Mxfp4Quirk::kLog2f,
     "the exponent of A is floor(log2f(A)), which rounds up just below powers of two"},
    {"log2f_ceil", Mxfp4Quirk::kLog2fCeil, "the scale is 2^ceil(log2f(A / 6)) in FP32"},
    {"fp32_quotient", Mxfp4Quirk::kFp32Quotient,
     "the code is the exponent field of A / 4 (rceil: A / 6) in FP32, one more above a power of "
     "two unless the rule is floor"},
    {"reciprocal_sixth", Mxfp4Quirk::kReciprocalSixth,
     "the same of A times FP32(1/6), the next power of two of subnormal products being 2^-127"},
    {"subnormal_bump", Mxfp4Quirk::kSubnormalBump,
     "every subnormal quotient but 0 counts as above a power of two"},
    {"even_overflow_nan", Mxfp4Quirk::kEvenOverflowNan,
     "A from 1.75 * 2^127 up rounds to infinity and makes a NaN block"},
    {"uint8_wrap", Mxfp4Quirk::kUint8Wrap,
     "a code below 0 wraps to 8 bits, infinity gives code 0, and code 255 is the number 2^128"},
    {"nan_ignored", Mxfp4Quirk::kNanIgnored, "A leaves NaN out"},
    {"nan_refused", Mxfp4Quirk::kNanRefused,
     "the peer refuses a block with a NaN: scale and codes 0, decoded NaN"},
    {"nan_wraps_to_zero", Mxfp4Quirk::kNanWrapsToZero, "a NaN block has scale code 0"},
    {"infinity_scale_254", Mxfp4Quirk::kInfinityScale254,
     "a block with an infinity has the largest scale, 2^127, and is quantized under it"},
    {"infinite_scale", Mxfp4Quirk::kInfiniteScale,
     "scale code 255 is infinity: numbers become zero under it, infinity code F, NaN 7 or F"},
    {"code0_is_zero", Mxfp4Quirk::kCodeZeroIsZero, "scale code 0 is the number 0"},
    {"fp32_half_add", Mxfp4Quirk::kFp32HalfAdd,
     "elements round by adding half to their FP32 significand, which rounds too"},
    {"fp32_scale", Mxfp4Quirk::kFp32Scale,
     "the scale is an FP32 number; elements are divided and multiplied by it in FP32"},
    {"smallest_fp32_error", Mxfp4Quirk::kSmallestFp32Error,
     "an element gets the first code of least error in FP32, code 0 where it is NaN"},
    {"nan_element_codes", Mxfp4Quirk::kNanElementCodes,
     "a NaN under the NaN scale keeps its sign, and its code follows its payload"},
    {"positive_zero", Mxfp4Quirk::kPositiveZero, "every zero becomes +0"},
    {"minus_zero_positive", Mxfp4Quirk::kMinusZeroPositive, "-0 becomes +0"},
    {"underflow_loses_sign", Mxfp4Quirk::kUnderflowLosesSign,
     "+0 where the element over the scale underflows FP32"},
    {"flush_subnormal_blocks", Mxfp4Quirk::kFlushSubnormalBlocks,
     "blocks with A below 2^-126 become +0"},
    {"codes_drop_zero_sign", Mxfp4Quirk::kCodesDropZeroSign,
     "codes of zeros have no sign, decoded zeros have"},
    {"decode_clamps", Mxfp4Quirk::kDecodeClamps, "decoding saturates at the largest FP32 number"},
}};

/// A set of quirks; empty for the exact quantizers.
class Mxfp4Quirks {
 public:
  constexpr Mxfp4Quirks() = default;
  constexpr Mxfp4Quirks(std::initializer_list<Mxfp4Quirk> quirks) {
    for (const Mxfp4Quirk quirk : quirks) {
      bits_ |= static_cast<uint32_t>(quirk);
    }
  }
  constexpr bool has(Mxfp4Quirk quirk) const { return (bits_ & static_cast<uint32_t>(quirk)) != 0; }
  constexpr bool empty() const { return bits_ == 0; }
  /// The set without `quirk`.
  constexpr Mxfp4Quirks without(Mxfp4Quirk quirk) const {
    Mxfp4Quirks rest = *this;
    rest.bits_ &= ~static_cast<uint32_t>(quirk);
    return rest;
  }
  /// The names in the order of kMxfp4Quirks, separated by ", ".
  std::string names() const;

 private:
  uint32_t bits_ = 0;
};

/// An MXFP4 quantizer: a scale rule, an element rounding, the code that stands under a NaN scale
/// (OCP leaves it open), and a peer's departures from the rule.
struct Mxfp4Rule {
  ScaleRule scale;
  Rounding rounding;
  uint8_t code_under_nan = 0;
  Mxfp4Quirks quirks{};
};

/// What the scale code times an element is yet to be multiplied by, in FP32: 1/3 for
/// ScaleRule::kFourThirds, whose code is that of three scales; 1 for the others.
constexpr float scale_factor(const Mxfp4Rule& rule) {
  return rule.scale == ScaleRule::kFourThirds ? 1.0F / 3.0F : 1.0F;
}

}  // namespace nibblecore
