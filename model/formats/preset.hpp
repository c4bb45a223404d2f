// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <variant>

#include "model/formats/block_format.hpp"
#include "model/formats/rounding.hpp"

namespace nibblecore {

/// Exact MXFP4 scale rules. A = largest magnitude of the block.
enum class ScaleRule {
  kRceil,  ///< A / scale in (3, 6]: the smallest power of two with 6 * scale >= A
  kFloor,  ///< A / scale in [4, 8): OCP MX v1.0, section 6.3
  kCeil,   ///< A / scale in (2, 4]
  kEven,   ///< A / scale in [3.5, 7): A first rounded to one mantissa bit, ties up
  kOas,    ///< A / scale in (3.5, 7]: overflow-aware scaling, arXiv 2603.08713
};

/// An MXFP4 quantizer: a scale rule, an element rounding, and the code that stands under a NaN
/// scale (OCP leaves it open).
struct Mxfp4Rule {
  ScaleRule scale;
  Rounding rounding;
  uint8_t code_under_nan;
};

/// Precision in which a step of the HiF4 quantizer keeps its result.
enum class Precision { kAsFp32, kAsBf16 };

/// What a HiF4 quantizer does with inputs that are -0.
enum class ZeroSign { kKept, kPositive };

/// What arXiv 2602.11287, Algorithm 1, leaves open.
struct Hif4Rule {
  Precision input;           ///< inputs are first rounded to this
  Precision micro_product;   ///< group maximum times reciprocal, for the micro-exponents
  Precision scaled_element;  ///< element times reciprocal * 2^-n, before rounding to quarters
  Rounding rounding;         ///< to quarters
  ZeroSign zero_sign;
};

/// NVFP4 with a per-tensor FP32 scale, TransformerEngine's published formula: nothing is open.
struct Nvfp4Rule {};

/// A named quantizer.
struct Preset {
  std::string name;
  std::string_view alias;  ///< a shorter name, or empty
  BlockFormat format;
  std::variant<Mxfp4Rule, Hif4Rule, Nvfp4Rule> rule;
  std::string_view meaning;
  std::string_view provenance;
};

/// Every preset, the default of each format first.
const std::array<Preset, 10>& presets();

/// The preset of `format` with this name or alias; an empty name means the format's default.
/// InputError naming the known ones otherwise.
const Preset& preset(const BlockFormat& format, std::string_view name);

/// The exact MXFP4 quantizer of any rule and rounding. Its name is the rule's, with "+rounding"
/// appended where that is not `rne`.
Preset mxfp4_preset(ScaleRule scale, Rounding rounding);

struct ScaleRuleRecord {
  std::string_view name;
  ScaleRule rule;
};
inline constexpr std::array<ScaleRuleRecord, 5> kScaleRules{{{"rceil", ScaleRule::kRceil},
                                                             {"floor", ScaleRule::kFloor},
                                                             {"ceil", ScaleRule::kCeil},
                                                             {"even", ScaleRule::kEven},
                                                             {"oas", ScaleRule::kOas}}};

struct RoundingRecord {
  std::string_view name;
  Rounding rounding;
};
inline constexpr std::array<RoundingRecord, 4> kRoundings{{{"rne", Rounding::kNearestEven},
                                                           {"half_away", Rounding::kNearestAway},
                                                           {"half_zero", Rounding::kNearestZero},
                                                           {"toward_zero", Rounding::kTowardZero}}};

/// The scale rule of this name; InputError naming the known ones otherwise.
ScaleRule scale_rule(std::string_view name);
/// The rounding of this name; InputError naming the known ones otherwise.
Rounding rounding(std::string_view name);

/// The names of a scale rule and of a rounding.
std::string_view name_of(ScaleRule rule);
std::string_view name_of(Rounding rounding);

}  // namespace nibblecore
