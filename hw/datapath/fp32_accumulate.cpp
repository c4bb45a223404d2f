// SPDX-License-Identifier: Apache-2.0
#include "hw/datapath/fp32_accumulate.hpp"

#include <algorithm>

#include "hw/datapath/fp32_pack.hpp"
#include "hw/datapath/width.hpp"

namespace nibblecore::hw {
namespace {

/// A signed magnitude at the bus of the aligner: magnitude * 2^exponent.
struct Addend {
  uint64_t magnitude;
  int32_t exponent;
  bool negative;
};

// With the greater term shifted left by 27, a bit lost from the other lies at least two places
// below the guard bit of any result, so that one sticky bit stands for all of them.
constexpr int kMaxLeftShift = 27;

Addend add_aligned(Addend high, Addend low) {
  if (high.exponent < low.exponent) {
    std::swap(high, low);
  }
  const int32_t distance = high.exponent - low.exponent;
  const int32_t left = std::min(distance, kMaxLeftShift);
  const int32_t right = std::min(distance - left, 63);
  const uint64_t kept = low.magnitude >> right;
  const uint64_t sticky = (kept << right) != low.magnitude ? 1 : 0;
  const auto high_value = static_cast<int64_t>(high.magnitude << left);
  const auto low_value = static_cast<int64_t>(kept | sticky);
  const int64_t sum =
      (high.negative ? -high_value : high_value) + (low.negative ? -low_value : low_value);
  WidthMonitor width(kAlignedSum);
  width.observe(sum);
  width.require();
  return {static_cast<uint64_t>(sum < 0 ? -sum : sum), high.exponent - left, sum < 0};
}

}  // namespace

uint32_t fp32_accumulate(uint32_t accumulator, int32_t significand, int32_t exponent) {
  const Fp32Fields fields = unpack_fp32(accumulator);
  if (fields.is_special) {
    return fields.significand == 0 ? accumulator : kQuietNan;
  }
  const Addend term{static_cast<uint64_t>(significand < 0 ? -significand : significand), exponent,
                    significand < 0};
  // A zero has no exponent of its own: it must not push the other addend out of the aligner.
  if (term.magnitude == 0) {
    return fields.significand == 0 ? 0 : accumulator;
  }
  const Addend start{fields.significand, fields.significand == 0 ? exponent : fields.exponent,
                     fields.negative};
  const Addend sum = add_aligned(start, term);
  return round_fp32(sum.negative, sum.magnitude, sum.exponent);
}

}  // namespace nibblecore::hw
