// SPDX-License-Identifier: Apache-2.0
#include "hw/datapath/fp32_accumulate.hpp"

#include "hw/channel/lanes.hpp"
#include "hw/datapath/fp32_adder.hpp"
#include "hw/datapath/simd_dispatch.hpp"
#include "hw/datapath/width.hpp"

namespace nibblecore::hw {
namespace {

struct Buses {
  const ScaledSums& terms;
  uint32_t* accumulators;
};

/// OR of the magnitudes on each bus.
struct Widths {
  uint32_t terms;
  uint64_t aligned_sums;
};

struct AccumulateLanes {
  [[gnu::always_inline]] static Widths run(const Buses& buses) {
    const ScaledSums terms = buses.terms;
    uint32_t* accumulators = buses.accumulators;
    uint32_t united_terms = 0;
    uint64_t united_sums = 0;
    for (size_t i = 0; i < terms.count / kLanes * kLanes; ++i) {
      const int32_t term = terms.sums[i] * terms.significands[i];
      united_terms |= static_cast<uint32_t>(term < 0 ? -term : term);
      const uint32_t sum = add_term(accumulators[i], term, terms.exponents[i], united_sums);
      accumulators[i] = select(mask_if_negative(-terms.nan[i]), kQuietNan, sum);
    }
    return {united_terms, united_sums};
  }
};

}  // namespace

uint32_t fp32_accumulate(uint32_t accumulator, int32_t significand, int32_t exponent) {
  uint64_t aligned_sum = 0;
  const uint32_t result = add_term(accumulator, significand, exponent, aligned_sum);
  require_united_width(kAlignedSum, aligned_sum);
  return result;
}

void fp32_accumulate_lanes(SimdTarget target, const ScaledSums& terms, uint32_t* accumulators) {
  const Widths widths = run_on<AccumulateLanes>(target, Buses{terms, accumulators});
  require_united_width(kTerm, widths.terms);
  require_united_width(kAlignedSum, widths.aligned_sums);
}

}  // namespace nibblecore::hw
