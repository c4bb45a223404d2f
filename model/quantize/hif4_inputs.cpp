// SPDX-License-Identifier: Apache-2.0
#include "model/quantize/hif4_inputs.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "model/formats/bf16.hpp"

namespace nibblecore {

Hif4Inputs hif4_inputs(const float* values, const Hif4Rule& rule) {
  Hif4Inputs inputs;
  const bool counts_as_zero = rule.non_finite == Hif4NonFinite::kCountAsZero;
  for (size_t i = 0; i < inputs.values.size(); ++i) {
    const float input = rule.input == Precision::kAsBf16 ? round_to_bf16(values[i]) : values[i];
    const bool is_finite = std::isfinite(input);
    inputs.all_finite = inputs.all_finite && is_finite;
    inputs.has_nan = inputs.has_nan || std::isnan(input);
    inputs.values[i] = is_finite || !counts_as_zero ? input : 0.0F;
    inputs.magnitudes[i] = std::fabs(inputs.values[i]);
  }
  return inputs;
}

Hif4Maxima hif4_maxima(const Hif4Inputs& inputs, Hif4NonFinite policy) {
  // The order and the direction of comparisons matter to NaN alone (kByComparison): std::max(a, b)
  // keeps `a` unless it is less.
  Hif4Maxima maxima;
  for (size_t k = 0; k < maxima.of_4.size(); ++k) {
    const float* const group = inputs.magnitudes.data() + 4 * k;
    maxima.of_4[k] = std::max(std::max(std::max(group[0], group[1]), group[2]), group[3]);
  }
  for (size_t j = 0; j < maxima.of_8.size(); ++j) {
    maxima.of_8[j] = std::max(maxima.of_4[2 * j + 1], maxima.of_4[2 * j]);
  }
  maxima.of_all = maxima.of_8[0];
  for (const float maximum : maxima.of_8) {
    maxima.of_all = std::max(maxima.of_all, maximum);
  }
  if ((policy == Hif4NonFinite::kNanMaximum && !inputs.all_finite) ||
      (policy == Hif4NonFinite::kTakePart && inputs.has_nan)) {
    maxima.of_all = std::numeric_limits<float>::quiet_NaN();
  }
  return maxima;
}

}  // namespace nibblecore
