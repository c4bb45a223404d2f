// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <string_view>

namespace nibblecore {

/// MXFP4 scale rules. A = largest magnitude of the block.
enum class ScaleRule {
  kRceil,           ///< A / scale in (3, 6]: the smallest power of two with 6 * scale >= A
  kFloor,           ///< A / scale in [4, 8): OCP MX v1.0, section 6.3
  kCeil,            ///< A / scale in (2, 4]
  kEven,            ///< A / scale in [3.5, 7): A first rounded to one mantissa bit, ties up
  kOas,             ///< A / scale in (3.5, 7]: overflow-aware scaling, arXiv 2603.08713
  kFourThirds,      ///< A / scale in [3, 6): scale = 4/3 of a power of two (FP-Quant)
  kBestPowerOfTwo,  ///< least squared error among 2^-2, 2^-1, 1, 2 times kRceil's, first wins
  kIdeal,           ///< A / 6, a real number: no block format holds it
};

struct ScaleRuleRecord {
  std::string_view name;
  ScaleRule rule;
  std::string_view meaning;
};
inline constexpr std::array<ScaleRuleRecord, 8> kScaleRules{{
    {"rceil", ScaleRule::kRceil, "smallest power-of-two scale that clips nothing"},
    {"floor", ScaleRule::kFloor, "exponent of the largest magnitude minus 2"},
    {"ceil", ScaleRule::kCeil, "exponent of the largest magnitude rounded up, minus 2"},
    {"even", ScaleRule::kEven,
     "exponent of the largest magnitude rounded to one mantissa bit, minus 2"},
    {"oas", ScaleRule::kOas,
     "exponent of the largest magnitude minus 2, one more above a significand of 1.75"},
    {"four_thirds", ScaleRule::kFourThirds,
     "4/3 of the power of two that is a quarter of floor's largest magnitude"},
    {"best_pow2", ScaleRule::kBestPowerOfTwo,
     "least squared error among 1/4, 1/2, 1 and 2 times rceil's scale"},
    {"ideal", ScaleRule::kIdeal, "a sixth of the largest magnitude, a real number"},
}};

/// The rules that give a power of two from A alone; the datapath has circuits of these.
inline constexpr std::array<ScaleRuleRecord, 5> kExponentRules{
    {kScaleRules[0], kScaleRules[1], kScaleRules[2], kScaleRules[3], kScaleRules[4]}};

/// Whether a block format's scale code holds what the rule gives.
constexpr bool is_packable(ScaleRule rule) { return rule != ScaleRule::kIdeal; }

/// The scale rule of this name; InputError naming the known ones otherwise.
ScaleRule scale_rule(std::string_view name);
std::string_view name_of(ScaleRule rule);

}  // namespace nibblecore
