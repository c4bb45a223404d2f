// SPDX-License-Identifier: Apache-2.0
#include "model/quantize/quantize_choices.hpp"

#include <string>
#include <variant>

#include "model/common/error.hpp"

namespace nibblecore {
namespace {

/// Why blocks of a rule cannot share the scale of a tile; empty where they can.
struct ReasonAgainstSquares {
  std::string operator()(const Mxfp4Rule& rule) const {
    if (rule.scale == ScaleRule::kBestPowerOfTwo) {
      return "it compares the errors of single blocks";
    }
    return rule.quirks.has(Mxfp4Quirk::kNanIgnored) ? "its peer leaves NaN out of a block" : "";
  }
  std::string operator()(const Hif4Rule& /*rule*/) const {
    return "the micro-exponents of hif4 belong to groups along K, so that rows of a tile cannot "
           "share a scale";
  }
  std::string operator()(const Nvfp4Rule& rule) const {
    if (rule.scale == Nvfp4ScaleRule::kFourOverSix) {
      return "it compares the errors of single blocks";
    }
    return rule.scale == Nvfp4ScaleRule::kHalfUpSixth ? "its peer leaves NaN out of a block" : "";
  }
};

}  // namespace

void require_choices(const Preset& preset, BlockShape shape,
                     const std::optional<RandomStream>& random) {
  if (is_stochastic(preset) && !random) {
    throw InputError("--rounding", "preset '" + preset.name +
                                       "' rounds stochastically and needs the random bits of a "
                                       "--seed");
  }
  const std::string reason =
      shape == BlockShape::kSquare ? std::visit(ReasonAgainstSquares{}, preset.rule) : "";
  if (!reason.empty()) {
    throw InputError("square blocks", "preset '" + preset.name + "' has none: " + reason);
  }
}

}  // namespace nibblecore
