// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <variant>

#include "model/formats/block_format.hpp"
#include "model/formats/rounding.hpp"

namespace nibblecore {

/// Exact MXFP4 scale rules. A = largest magnitude of the block, m its significand in [1, 2).
enum class ScaleRule {
  kFloor,  ///< A / scale in [4, 8): OCP MX v1.0, section 6.3
  kCeil,   ///< A / scale in (2, 4]
  kEven,   ///< A / scale in [3.5, 7): the exponent of A rounded to one mantissa bit
  kRceil,  ///< A / scale in (3, 6]: the smallest power of two with 6 * scale >= A
};

/// An MXFP4 quantizer: a scale rule, an element rounding, and the code that stands under a NaN
/// scale (OCP leaves it open).
struct Mxfp4Rule {
  ScaleRule scale;
  Rounding rounding;
  uint8_t code_under_nan;
};

/// Precision in which a step of the HiF4 quantizer keeps its result.
enum class Precision { kFp32, kBf16 };

/// What a HiF4 quantizer does with a zero input.
enum class ZeroSign { kKept, kPositive };

/// What arXiv 2602.11287, Algorithm 1, leaves open.
struct Hif4Rule {
  Precision input;            ///< inputs are first rounded to this
  Precision micro_product;    ///< group maximum times reciprocal, for the micro-exponents
  Precision scaled_factor;    ///< reciprocal times 2^-n before it meets the element
  Precision scaled_element;   ///< element times that factor, before rounding to quarters
  Rounding rounding;          ///< to quarters
  ZeroSign zero_sign;         ///< of inputs that are -0
};

/// NVFP4 with a per-tensor FP32 scale, TransformerEngine's published formula.
struct Nvfp4Rule {};

/// A named quantizer.
struct Preset {
  std::string_view name;
  BlockFormat format;
  std::variant<Mxfp4Rule, Hif4Rule, Nvfp4Rule> rule;
  std::string_view meaning;
  std::string_view provenance;
};

/// Every preset, the default of each format first.
const std::array<Preset, 9>& presets();

/// The preset `name` of `format`; an empty name means the format's default. InputError naming the
/// known ones otherwise.
const Preset& preset(const BlockFormat& format, std::string_view name);

/// The scale rule and rounding of these command-line names; InputError otherwise.
ScaleRule scale_rule(std::string_view name);
Rounding rounding(std::string_view name);

}  // namespace nibblecore
