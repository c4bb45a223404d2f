// SPDX-License-Identifier: Apache-2.0
#include "tb/coverage/store_points.hpp"

#include <string>
#include <vector>

#include "model/common/bits.hpp"
#include "model/formats/fp32.hpp"

namespace nibblecore::tb {
namespace {

enum ValueBin : size_t {
  kPositiveZero,
  kNegativeZero,
  kSubnormal,
  kNormal,
  kInfinity,
  kNegativeInfinity,
  kNan,
};

std::string group_of(const BlockFormat& format) { return std::string(format.name) + " store"; }

std::vector<CoverBin> factor_bins(const BlockFormat& format) {
  std::vector<CoverBin> bins = bins_of({"1", "another number", "0", "infinity", "NaN"});
  if (format.scale != ScaleKind::kUe4m3) {
    rule_out(bins, 1, 4, "this format has no tensor scale");
  }
  return bins;
}

std::vector<CoverBin> value_bins(const BlockFormat& format) {
  std::vector<CoverBin> bins = bins_of({"+0", "-0", "subnormal", "normal", "+inf", "-inf", "NaN"});
  if (format.scale == ScaleKind::kHif4) {
    rule_out(bins, kNegativeZero, kNegativeZero,
             "an exact zero is +0, no sum of this format underflows, and nothing is multiplied");
  }
  return bins;
}

}  // namespace

StorePoints::StorePoints(const BlockFormat& format, Coverage& coverage)
    : factors_(coverage.add(group_of(format), "factor", factor_bins(format))),
      values_(coverage.add(group_of(format), "value", value_bins(format))),
      roundings_(coverage.add(group_of(format), "rounding to BF16",
                              bins_of({"exact", "below half", "tie, down", "tie, up", "above half",
                                       "to infinity", "infinity", "NaN"}))) {}

void StorePoints::sample_factor(float a_scale, float b_scale) {
  const uint32_t factor = float_bits(a_scale * b_scale);
  if (fp32_is_nan(factor)) {
    factors_.hit(4);
  } else if (fp32_is_infinite(factor)) {
    factors_.hit(3);
  } else {
    factors_.hit(factor == 0 ? 2 : factor == 0x3F800000 ? 0 : 1);
  }
}

void StorePoints::sample(uint32_t bits, OutputWidth width) {
  const uint32_t magnitude = bits & ~kFp32SignBit;
  const bool negative = magnitude != bits;
  if (fp32_is_nan(bits)) {
    values_.hit(kNan);
  } else if (fp32_is_infinite(bits)) {
    values_.hit(negative ? kNegativeInfinity : kInfinity);
  } else if (magnitude == 0) {
    values_.hit(negative ? kNegativeZero : kPositiveZero);
  } else {
    values_.hit(magnitude < 0x00800000 ? kSubnormal : kNormal);
  }
  if (width == OutputWidth::kFp32) {
    return;
  }
  constexpr uint32_t kHalf = 0x8000;
  constexpr uint32_t kLargestBf16 = 0x7F7F0000;
  const uint32_t rest = magnitude & 0xFFFF;
  if (magnitude >= kFp32Infinity) {
    roundings_.hit(magnitude == kFp32Infinity ? 6 : 7);
  } else if (magnitude >= kLargestBf16 + kHalf) {
    roundings_.hit(5);
  } else if (rest == kHalf) {
    roundings_.hit((magnitude & 0x10000) == 0 ? 2 : 3);
  } else {
    roundings_.hit(rest == 0 ? 0 : rest < kHalf ? 1 : 4);
  }
}

}  // namespace nibblecore::tb
