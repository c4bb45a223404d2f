// SPDX-License-Identifier: Apache-2.0
#include "model/reference/truncating_dot.hpp"

#include <algorithm>
#include <array>

#include "model/common/bits.hpp"
#include "model/common/error.hpp"
#include "model/formats/fp32.hpp"
#include "model/reference/macro_accumulator.hpp"
#include "model/reference/truncating_node.hpp"

namespace nibblecore {
namespace {

/// What has the exponent of zero instead of its own.
enum class ZeroRule {
  kTerms,    ///< a group whose products are all zero, also by a scale of zero; an accumulator of 0
  kFactors,  ///< a scale of zero; an accumulator of 0
};

/// What tells one truncating policy from another (MMA-Sim; docs/numerics.md).
struct TruncatingPolicy {
  Accumulation accumulation;
  int group;  ///< products that are added exactly before they are aligned
  int fraction_bits;
  ZeroRule zero_rule;
  int zero_exponent;
  NegativeUnderflow underflow;
};

constexpr std::array<TruncatingPolicy, 3> kTruncatingPolicies{{
    {Accumulation::kBlackwell, 16, 35, ZeroRule::kTerms, -139, NegativeUnderflow::kMinusZero},
    {Accumulation::kBlackwellV1, 16, 35, ZeroRule::kFactors, -126, NegativeUnderflow::kPlusZero},
    {Accumulation::kBlackwellMxf8f6f4, 1, 25, ZeroRule::kTerms, -133,
     NegativeUnderflow::kMinusZero},
}};

const TruncatingPolicy& truncating_policy(Accumulation accumulation) {
  for (const TruncatingPolicy& policy : kTruncatingPolicies) {
    if (policy.accumulation == accumulation) {
      return policy;
    }
  }
  throw InternalError("no truncating policy");
}

/// One output: its rows and how they are added.
struct Output {
  const TruncatingPolicy& policy;
  const ExactRow& a;
  const ExactRow& b;
  const BlockFormat& format;
};

/// floor(log2) of a number that is kept in halves; the subnormal 0.5 has the exponent of 1.
int element_exponent(int halves) {
  return std::max(0, bit_width(static_cast<uint64_t>(std::abs(halves))) - 2);
}

/// The exponent of a scale whose leading bit is that of normal numbers, subnormal or not.
int scale_exponent(const TruncatingPolicy& policy, const ExactScale& scale, ScaleKind kind) {
  if (policy.zero_rule == ZeroRule::kFactors && scale.significand == 0) {
    return policy.zero_exponent;
  }
  const int fraction = kind == ScaleKind::kUe4m3 ? 3 : 0;
  return scale.exponent + fraction + 1;  // elements are integers in halves
}

/// The group of products that begins at element `first` of K.
NodeTerm group_term(const Output& output, int64_t first) {
  const auto [policy, a, b, format] = output;
  const int16_t* x = a.elements.data() + first;
  const int16_t* y = b.elements.data() + first;
  int sum = 0;
  int magnitudes = 0;
  for (int i = 0; i < policy.group; ++i) {
    const int product = x[i] * y[i];
    sum += product;
    magnitudes |= product;
  }
  const auto block = static_cast<size_t>(first / format.block);
  const ExactScale& scale_a = a.scales[block];
  const ExactScale& scale_b = b.scales[block];
  const int significands = scale_a.significand * scale_b.significand;
  const ExactTerm value{int64_t{sum} * significands, scale_a.exponent + scale_b.exponent};
  const bool is_zero = magnitudes == 0 || significands == 0;
  if (policy.zero_rule == ZeroRule::kTerms && is_zero) {
    return {value, policy.zero_exponent};
  }
  const int elements = policy.group == 1 ? element_exponent(x[0]) + element_exponent(y[0]) : 0;
  return {value, scale_exponent(policy, scale_a, format.scale) +
                     scale_exponent(policy, scale_b, format.scale) + elements};
}

/// The accumulator, a finite FP32 number, as a term.
NodeTerm accumulator_term(const TruncatingPolicy& policy, uint32_t bits) {
  const ExactTerm value = exact_term(bits);
  constexpr int fraction = 23;
  return {value, value.significand == 0 ? policy.zero_exponent : value.exponent + fraction};
}

}  // namespace

uint32_t truncating_dot(const ExactRow& a, const ExactRow& b, const BlockFormat& format, uint32_t c,
                        Accumulation policy, const DotCorrections& corrections,
                        uint8_t& truncation) {
  const Output output{truncating_policy(policy), a, b, format};
  const int64_t width = node_width(policy, format);
  const auto k = static_cast<int64_t>(a.elements.size());  // whole blocks, so whole groups
  MacroAccumulator accumulator(c, corrections);
  truncation = 0;
  for (int64_t node = 0; node < k; node += width) {
    uint32_t& sum = accumulator.sum_at(node);
    if (!fp32_is_finite(sum)) {
      continue;  // an infinity takes in finite terms without changing
    }
    std::array<NodeTerm, 33> terms;
    size_t count = 0;
    terms[count++] = accumulator_term(output.policy, sum);
    for (int64_t i = node; i < std::min(k, node + width); i += output.policy.group) {
      terms[count++] = group_term(output, i);
    }
    const NodeResult result =
        truncating_node(terms.data(), count, output.policy.fraction_bits, output.policy.underflow);
    sum = result.bits;
    truncation = static_cast<uint8_t>(truncation | result.truncation);
  }
  return accumulator.finish();
}

}  // namespace nibblecore
