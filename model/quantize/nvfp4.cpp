// SPDX-License-Identifier: Apache-2.0
#include "model/quantize/nvfp4.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "model/common/bits.hpp"
#include "model/formats/fp32.hpp"
#include "model/formats/rounding.hpp"
#include "model/formats/ue4m3.hpp"
#include "model/quantize/element_rounding.hpp"
#include "model/quantize/magnitude_bits.hpp"

namespace nibblecore {
namespace {

constexpr float kLargestFp32 = std::numeric_limits<float>::max();
constexpr float kLargestScale = 448.0F;
constexpr float kLargestElement = 6.0F;
constexpr float kOneSixth = 1.0F / kLargestElement;

/// min(value, limit) that passes a NaN on, as tensor libraries do.
float at_most(float value, float limit) { return value > limit ? limit : value; }

}  // namespace

Nvfp4TensorScale nvfp4_tensor_scale(float largest) {
  float encode = at_most(kLargestScale * kLargestElement / largest, kLargestFp32);
  if (encode == 0) {
    encode = 1;
  }
  return {encode, 1 / encode};
}

uint8_t ue4m3_from_fp32(float value) {
  if (std::isnan(value)) {
    return kUe4m3Nan;
  }
  return static_cast<uint8_t>(round_magnitude(kUe4m3Format,
                                              unrounded(at_most(value, kLargestScale)),
                                              Rounding::kNearestEven, Overflow::kSaturate));
}

Nvfp4Unit quantize_nvfp4(const float* values, const Nvfp4TensorScale& tensor_scale) {
  Nvfp4Unit unit;
  const float largest = bits_float(largest_magnitude_bits(values, unit.codes.size()));
  // The formula folds 1/6 into the tensor's factor before it meets the block.
  unit.scale = ue4m3_from_fp32(largest * (tensor_scale.encode * kOneSixth));
  const auto scale = static_cast<float>(decode_double(kUe4m3Format, unit.scale));
  const float factor = at_most(1 / (scale * tensor_scale.decode), kLargestFp32);
  const ElementRounding& rounding = e2m1_rounding(Rounding::kNearestEven);
  for (size_t i = 0; i < unit.codes.size(); ++i) {
    const float scaled = values[i] * factor;
    // The cast compares with thresholds, so -0 and NaN become code 0 while a negative product
    // that rounds to zero becomes code 8.
    const int sign = scaled < 0 ? 8 : 0;
    unit.codes[i] = static_cast<uint8_t>(rounding.code(std::fabs(scaled)) | sign);
  }
  return unit;
}

}  // namespace nibblecore
