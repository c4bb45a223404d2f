// SPDX-License-Identifier: Apache-2.0
#include "hw/datapath/blackwell_node.hpp"

#include <algorithm>
#include <array>

#include "hw/channel/lanes.hpp"
#include "hw/datapath/fp32_pack.hpp"
#include "hw/datapath/simd_dispatch.hpp"
#include "hw/datapath/width.hpp"
#include "model/common/error.hpp"

namespace nibblecore::hw {
namespace {

constexpr int32_t kNodeFraction = 35;    // places below the greatest exponent
constexpr int32_t kZeroExponent = -139;  // of what must not push others out
constexpr int32_t kSignificandBits = 23;
constexpr uint32_t kFarthest = 63;  // past all bits of every addend

template <class Hooks>
struct Buses {
  const NodeRule& rule;
  const NodeInputs& inputs;
  uint32_t* accumulators;
  OutputTap<Hooks> tap;
};

/// OR of the magnitudes on each bus.
struct Widths {
  uint32_t terms;
  uint32_t exponents;
  uint64_t aligned;
  uint64_t aligned_starts;
  uint64_t sums;
};

[[gnu::always_inline]] constexpr uint32_t magnitude_of(int32_t value) {
  return static_cast<uint32_t>(value < 0 ? -value : value);
}

/// All bits where the value is negative.
[[gnu::always_inline]] constexpr uint64_t wide_mask(int32_t value) {
  return static_cast<uint64_t>(static_cast<int64_t>(value >> 31));
}

/// The shift that brings an addend of this exponent to the greatest one's place.
[[gnu::always_inline]] constexpr uint32_t shift_of(int32_t greatest, int32_t exponent) {
  return std::min(static_cast<uint32_t>(greatest - exponent), kFarthest);
}

/// The end of the node: leading-zero count, truncation to 24 bits or at 2^-149, overflow; the sign
/// last. The sum counts 2^(greatest - 35).
template <class Hooks>
[[gnu::always_inline]] constexpr uint32_t truncate_sum(int64_t sum, uint64_t magnitude,
                                                       int32_t greatest, uint32_t zero_sign,
                                                       const Tap<Hooks>& tap) {
  constexpr int32_t kLeastExponent = -149;
  constexpr int32_t kLargestField = 254;
  constexpr int32_t kBelow = 8;  // bits of the upper word below the 24 of a significand

  int32_t zeros = leading_zeros(magnitude);
  tap.value(Site::kNodeLeadingZeros, zeros);
  const auto upper = static_cast<uint32_t>((magnitude << zeros) >> 32);
  // The exponent of a normal number's last bit, above that of all subnormals.
  int32_t last_exponent = greatest - kNodeFraction + 32 + kBelow - zeros - kLeastExponent;
  tap.value(Site::kNodeLastExponent, last_exponent);
  const Mask subnormal = mask_if_negative(last_exponent);
  const int32_t dropped = std::min(select(subnormal, -last_exponent, 0), 31);
  uint32_t kept = (upper >> kBelow) >> dropped;
  tap.value(Site::kNodeKept, kept);
  // The hidden bit adds to the exponent field.
  int32_t field = std::min(select(subnormal, 0, last_exponent), kLargestField);
  tap.value(Site::kNodeExponentField, field);
  const uint32_t packed = (static_cast<uint32_t>(field) << 23) + kept;
  const Mask nothing = mask_if_zero(kept);
  const auto negative = static_cast<uint32_t>(static_cast<uint64_t>(sum) >> 63) << 31;
  return (std::min(packed, kInfinityBits) & ~nothing) | (negative & (~nothing | zero_sign));
}

template <int Groups>
struct AccumulateNodes {
  template <class Hooks>
  [[gnu::always_inline]] static Widths run(const Buses<Hooks>& buses) {
    const NodeRule rule = buses.rule;
    const NodeInputs inputs = buses.inputs;
    const size_t outputs = inputs.outputs / kLanes * kLanes;
    uint32_t* accumulators = buses.accumulators;
    Widths united{};
    // The accumulators are no part of the inputs.
#pragma GCC ivdep
    for (size_t i = 0; i < outputs; ++i) {
      const auto node = buses.tap.adder(i);
      const uint32_t start = accumulators[i];
      const uint32_t start_field = fp32_exponent_field(start);
      const uint32_t fraction = start & 0x7FFFFF;
      const uint32_t full = fraction | (0x800000 & ~mask_if_zero(start_field));
      int32_t start_exponent =
          select(mask_if_zero(full), rule.start_exponent, fp32_exponent(start) + kSignificandBits);
      node.value(Site::kNodeStartExponent, start_exponent);

      int32_t greatest = start_exponent;
      uint32_t nan = 0;
      std::array<int32_t, Groups> terms{};
      std::array<int32_t, Groups> exponents{};
      for (int group = 0; group < Groups; ++group) {
        const auto of_group = buses.tap.adder(i, group, outputs);
        const size_t at = static_cast<size_t>(group) * outputs + i;
        const size_t scale = static_cast<size_t>(group / inputs.groups_of_block) * outputs + i;
        const int32_t significand = inputs.significands[scale];
        int32_t term = inputs.sums[at] * significand;
        of_group.value(Site::kNodeTerm, term);
        const Mask zero =
            mask_if_zero(static_cast<uint32_t>(significand)) |
            (mask_if_zero(static_cast<uint32_t>(inputs.nonzero[at])) & rule.zero_products);
        int32_t exponent = select(zero, kZeroExponent, inputs.exponents[scale] + rule.unit_bits);
        of_group.value(Site::kNodeExponent, exponent);
        united.terms |= magnitude_of(term);
        united.exponents |= magnitude_of(exponent);
        greatest = std::max(greatest, exponent);
        nan |= static_cast<uint32_t>(inputs.nan[scale]);
        terms[static_cast<size_t>(group)] = term;
        exponents[static_cast<size_t>(group)] = exponent;
      }
      node.value(Site::kNodeGreatest, greatest);

      uint32_t start_shift = shift_of(greatest, start_exponent);
      node.value(Site::kNodeStartShift, start_shift);
      const uint64_t start_magnitude =
          (uint64_t{full} << (kNodeFraction - kSignificandBits)) >> start_shift;
      united.aligned_starts |= start_magnitude;
      const uint64_t start_sign = wide_mask(static_cast<int32_t>(start));
      auto sum = static_cast<int64_t>((start_magnitude ^ start_sign) - start_sign);
      node.value(Site::kNodeAlignedStart, sum);
      for (int group = 0; group < Groups; ++group) {
        const auto of_group = buses.tap.adder(i, group, outputs);
        const int32_t term = terms[static_cast<size_t>(group)];
        uint32_t shift = shift_of(greatest, exponents[static_cast<size_t>(group)]);
        of_group.value(Site::kNodeShift, shift);
        const uint64_t magnitude =
            (uint64_t{magnitude_of(term)} << (kNodeFraction - rule.unit_bits)) >> shift;
        united.aligned |= magnitude;
        const uint64_t sign = wide_mask(term);
        auto aligned = static_cast<int64_t>((magnitude ^ sign) - sign);
        of_group.value(Site::kNodeAligned, aligned);
        sum += aligned;
      }
      node.value(Site::kNodeSum, sum);
      const auto borrow = static_cast<uint64_t>(0) - (static_cast<uint64_t>(sum) >> 63);
      const uint64_t magnitude = (static_cast<uint64_t>(sum) ^ borrow) - borrow;
      united.sums |= magnitude;

      const uint32_t finite = truncate_sum(sum, magnitude, greatest, rule.zero_sign, node);
      const uint32_t special = select(mask_if_zero(fraction), start, kNodeNan);
      const Mask is_special = mask_if_negative(254 - static_cast<int32_t>(start_field));
      uint32_t result = select(mask_if_zero(nan), select(is_special, special, finite), kNodeNan);
      node.value(Site::kNodeResult, result);
      buses.tap.accumulator(i, result);
      accumulators[i] = result;
    }
    return united;
  }
};

template <class Hooks>
Widths run_nodes(SimdTarget target, const Buses<Hooks>& buses) {
  switch (buses.inputs.groups) {
    case 1:
      return run_on<AccumulateNodes<1>>(target, buses);
    case 2:
      return run_on<AccumulateNodes<2>>(target, buses);
    case 3:
      return run_on<AccumulateNodes<3>>(target, buses);
    case kNodeGroups:
      return run_on<AccumulateNodes<kNodeGroups>>(target, buses);
    default:
      throw InternalError("a node takes in one to four groups");
  }
}

}  // namespace

NodeRule node_rule(Accumulation accumulation, const BlockFormat& format) {
  // Halves of two elements, and eighths of two scales where those have a significand.
  const int32_t unit_bits = format.scale == ScaleKind::kUe4m3 ? 8 : 2;
  switch (accumulation) {
    case Accumulation::kBlackwell:
      return {unit_bits, kZeroExponent, ~uint32_t{0}, ~uint32_t{0}};
    case Accumulation::kBlackwellV1:
      // A UE4M3 scale of zero has the exponent -126 by that rule. The node gives its group the
      // least one under both: only an accumulator far from all terms could tell, and one within 12
      // of the greatest exponent loses no bit.
      return {unit_bits, -126, 0, 0};
    default:
      throw InternalError("this policy has no node");
  }
}

template <class Hooks>
void accumulate_nodes(SimdTarget target, const NodeRule& rule, const NodeInputs& inputs,
                      uint32_t* accumulators, const OutputTap<Hooks>& tap) {
  const Widths widths = run_nodes(target, Buses<Hooks>{rule, inputs, accumulators, tap});
  require_united_width(kNodeTerm, widths.terms);
  require_united_width(kNodeExponent, widths.exponents);
  require_united_width(kNodeAligned, widths.aligned);
  require_united_width(kNodeAlignedStart, widths.aligned_starts);
  require_united_width(kNodeSum, widths.sums);
}

template void accumulate_nodes(SimdTarget, const NodeRule&, const NodeInputs&, uint32_t*,
                               const OutputTap<NoHooks>&);
template void accumulate_nodes(SimdTarget, const NodeRule&, const NodeInputs&, uint32_t*,
                               const OutputTap<ProbeHooks>&);

}  // namespace nibblecore::hw
