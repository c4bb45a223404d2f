// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "model/formats/macro_scales.hpp"
#include "model/formats/preset.hpp"
#include "model/quantize/nvfp4.hpp"
#include "model/quantize/quantize_choices.hpp"

namespace nibblecore {

/// How a macro block finds its multiplier.
enum class MacroSearch {
  kStatic,   ///< puts the largest magnitude just below 6 times a power of two
  kDynamic,  ///< least squared error among equally spaced candidates
};

/// Macro-block scaling (arXiv 2603.08713): each `length` elements of a row are multiplied by a
/// c in [1, 2) before they are quantized, and their values by FP16(1/c) afterwards.
struct MacroBlockScaling {
  MacroSearch search = MacroSearch::kStatic;
  int64_t length = 128;   ///< 32..512, a multiple of the block
  int mantissa_bits = 8;  ///< of c, static: 1..16
  int candidates = 16;    ///< c = 1 + j / candidates, dynamic: 2..64
};

/// InputError where a parameter is outside its range, the length is no multiple of the preset's
/// block, the format is NVFP4, whose scales have a mantissa of their own, or blocks are square, as
/// rows of a tile would differ in c.
void require_macro_block(const MacroBlockScaling& scaling, const Preset& preset, BlockShape shape);

/// The multiplier of a macro block whose largest magnitude has the FP32 bits `largest` (sign 0):
/// c = 1 + m / 2^bits, m the upper `mantissa_bits` of the fraction of RNE_FP32(6 / largest). 1
/// where `largest` is 0 or not finite, or c * largest would leave FP32.
float static_multiplier(uint32_t largest, int mantissa_bits);

/// FP16(1 / c), rounded once, nearest even; at least 0.5.
float macro_factor(float multiplier);

/// Finds the multipliers of the rows of an operand.
class MacroMultipliers {
 public:
  /// InputError as require_macro_block for blocks of rows. `tensor_scale` as quantize_block takes
  /// it.
  MacroMultipliers(const MacroBlockScaling& scaling, const Preset& preset,
                   const Nvfp4TensorScale& tensor_scale);

  /// Writes the multipliers of a row of `k` values before scaling, [ceil(k / length)]. kDynamic
  /// takes the candidate with the least sum, in FP64 and in order of K, of
  /// (RNE_FP32(decoded * FP16(1/c)) - x)^2 over the macro block quantized by the preset; the first
  /// of equals. A preset with stochastic rounding is searched with nearest even: choosing by the
  /// drawn errors would bias them. A macro block with a value that is not finite has 1.
  void find(int64_t k, const float* values, float* multipliers) const;

 private:
  float dynamic_multiplier(const float* values, int64_t count) const;
  double squared_error(const float* values, int64_t count, float c) const;

  MacroBlockScaling scaling_;
  Preset preset_;
  Nvfp4TensorScale tensor_scale_;
};

/// Multiplies each value by its macro block's number: RNE_FP32(c * x), which may need more than
/// FP32's 24 bits. Multipliers before quantization, factors afterwards.
void multiply_macro_blocks(const float* numbers, int64_t length, int64_t k, float* values);

}  // namespace nibblecore
