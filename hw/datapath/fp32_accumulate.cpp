// SPDX-License-Identifier: Apache-2.0
#include "hw/datapath/fp32_accumulate.hpp"

#include "hw/channel/lanes.hpp"
#include "hw/datapath/fp32_adder.hpp"
#include "hw/datapath/simd_dispatch.hpp"
#include "hw/datapath/width.hpp"

namespace nibblecore::hw {
namespace {

template <class Hooks>
struct Buses {
  const ScaledSums& terms;
  uint32_t* accumulators;
  OutputTap<Hooks> tap;
};

/// OR of the magnitudes on each bus.
struct Widths {
  uint32_t terms;
  uint64_t aligned_sums;
};

struct AccumulateLanes {
  template <class Hooks>
  [[gnu::always_inline]] static Widths run(const Buses<Hooks>& buses) {
    const ScaledSums terms = buses.terms;
    uint32_t* accumulators = buses.accumulators;
    uint32_t united_terms = 0;
    uint64_t united_sums = 0;
    for (size_t i = 0; i < terms.count / kLanes * kLanes; ++i) {
      const auto adder = buses.tap.adder(i);
      int32_t term = terms.sums[i] * terms.significands[i];
      adder.value(Site::kTerm, term);
      united_terms |= static_cast<uint32_t>(term < 0 ? -term : term);
      const uint32_t sum = add_term(accumulators[i], term, terms.exponents[i], united_sums, adder);
      uint32_t result = select(mask_if_negative(-terms.nan[i]), kQuietNan, sum);
      adder.value(Site::kAdderResult, result);
      buses.tap.accumulator(i, result);
      accumulators[i] = result;
    }
    return {united_terms, united_sums};
  }
};

}  // namespace

uint32_t fp32_accumulate(uint32_t accumulator, int32_t significand, int32_t exponent) {
  uint64_t aligned_sum = 0;
  const uint32_t result = add_term(accumulator, significand, exponent, aligned_sum, Tap<NoHooks>{});
  require_united_width(kAlignedSum, aligned_sum);
  return result;
}

template <class Hooks>
void fp32_accumulate_lanes(SimdTarget target, const ScaledSums& terms, uint32_t* accumulators,
                           const OutputTap<Hooks>& tap) {
  const Widths widths = run_on<AccumulateLanes>(target, Buses<Hooks>{terms, accumulators, tap});
  require_united_width(kTerm, widths.terms);
  require_united_width(kAlignedSum, widths.aligned_sums);
}

template void fp32_accumulate_lanes(SimdTarget, const ScaledSums&, uint32_t*,
                                    const OutputTap<NoHooks>&);
template void fp32_accumulate_lanes(SimdTarget, const ScaledSums&, uint32_t*,
                                    const OutputTap<ProbeHooks>&);

}  // namespace nibblecore::hw
