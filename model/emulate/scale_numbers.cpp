// SPDX-License-Identifier: Apache-2.0
#include "model/emulate/scale_numbers.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "model/common/error.hpp"
#include "model/formats/e6m2.hpp"
#include "model/formats/e8m0.hpp"
#include "model/formats/ue4m3.hpp"

namespace nibblecore {
namespace {

/// The number behind every code, times 2^-exponent_of_unit.
ScaleNumbers make_numbers(const NumberFormat& format, int exponent_of_unit) {
  ScaleNumbers table{};
  for (uint32_t code = 0; code < table.size(); ++code) {
    const ExactNumber number = decode(format, code);
    table[code] = number.is_nan ? std::numeric_limits<float>::quiet_NaN()
                                : std::ldexp(static_cast<float>(number.significand),
                                             number.exponent - exponent_of_unit);
  }
  return table;
}

}  // namespace

const ScaleNumbers& scale_numbers(ScaleKind kind) {
  // E2M1 elements are doubled, S1P2 elements are quarters.
  static const ScaleNumbers e8m0_halves = make_numbers(kE8m0Format, 1);
  static const ScaleNumbers ue4m3_halves = make_numbers(kUe4m3Format, 1);
  static const ScaleNumbers e6m2_quarters = make_numbers(kE6m2Format, 2);
  switch (kind) {
    case ScaleKind::kE8m0:
      return e8m0_halves;
    case ScaleKind::kUe4m3:
      return ue4m3_halves;
    case ScaleKind::kHif4:
      return e6m2_quarters;
  }
  throw InternalError("unknown kind of scale");
}

void ScaleRange::include(float scale) {
  if (scale > 0) {  // neither zero nor NaN
    smallest = is_empty ? scale : std::min(smallest, scale);
    largest = is_empty ? scale : std::max(largest, scale);
    is_empty = false;
  }
}

void ScaleRange::include(const ScaleRange& other) {
  if (!other.is_empty) {
    include(other.smallest);
    include(other.largest);
  }
}

ScaleRange range_of(const float* scales, int64_t count) {
  ScaleRange range;
  float smallest = std::numeric_limits<float>::infinity();
  float largest = 0;
  for (int64_t i = 0; i < count; ++i) {
    const bool counts = scales[i] > 0;  // neither zero nor NaN
    smallest = counts && scales[i] < smallest ? scales[i] : smallest;
    largest = counts && scales[i] > largest ? scales[i] : largest;
  }
  if (largest > 0) {
    range.include(smallest);
    range.include(largest);
  }
  return range;
}

bool fits_fp32(const ScaleRange& a, const ScaleRange& b) {
  return double{a.smallest} * double{b.smallest} >= 0x1p-149 &&
         double{a.largest} * double{b.largest} <= 0x1p112;
}

}  // namespace nibblecore
