// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

#include "model/formats/block_format.hpp"

namespace nibblecore {

/// The number behind every scale code, divided by what elements are multiplied by in a TileBlocks;
/// NaN for NaN codes.
using ScaleNumbers = std::array<float, 256>;
const ScaleNumbers& scale_numbers(ScaleKind kind);

/// Smallest and largest of some scales, zeros and NaNs left out (their blocks add zero or NaN,
/// whatever the size).
struct ScaleRange {
  float smallest = 1.0F;
  float largest = 1.0F;
  bool is_empty = true;

  void include(float scale);
  void include(const ScaleRange& other);
};

/// The range of `count` scales.
ScaleRange range_of(const float* scales, int64_t count);

/// Whether every product of a dot and two scales of these ranges is an FP32 number. Only E8M0, the
/// powers of two, can leave it: a product of 2^-149 or more has all bits of the dot above FP32's
/// last place, and 2^112 times a dot under 2^16 stays below 2^128. The scales of NVFP4 and HiF4 lie
/// within 2^-50..2^14 and make products of at most 22 significant bits.
bool fits_fp32(const ScaleRange& a, const ScaleRange& b);

}  // namespace nibblecore
