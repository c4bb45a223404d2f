// SPDX-License-Identifier: Apache-2.0
#include "tb/command/correction_arguments.hpp"

#include <charconv>
#include <cmath>

#include "model/common/error.hpp"

namespace nibblecore::tb {
namespace {

double number_of(const std::string& text, const std::string& place) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size() || !std::isfinite(value)) {
    throw InputError(place, "'" + text + "' is not a number");
  }
  return value;
}

int small_integer(int64_t value, int64_t least, int64_t most, const std::string& place) {
  if (value < least || value > most) {
    throw InputError(place, std::to_string(value) + " is outside " + std::to_string(least) +
                                " to " + std::to_string(most));
  }
  return static_cast<int>(value);
}

/// "16", "32" or "64" with seeded signs, "plus16" and so on without signs, "te" for
/// TransformerEngine's.
std::optional<HadamardTransform> hadamard_of(const std::string& text) {
  const std::string place = "--hadamard";
  if (text == "none") {
    return std::nullopt;
  }
  HadamardTransform transform;
  if (text == "te") {
    transform.signs = HadamardSigns::kTransformerEngine;
    return transform;
  }
  const bool plus = text.rfind("plus", 0) == 0;
  const std::string length = plus ? text.substr(4) : text;
  if (length != "16" && length != "32" && length != "64") {
    throw InputError(place, "'" + text +
                                "' is none of none, 16, 32, 64 (seeded signs), plus16, plus32, "
                                "plus64 (no signs), te (TransformerEngine's 16)");
  }
  transform.length = std::stoi(length);
  transform.signs = plus ? HadamardSigns::kPlus : HadamardSigns::kSeeded;
  return transform;
}

MacroEpilogue epilogue_of(const std::string& text) {
  if (text != "fused" && text != "separate") {
    throw InputError("--mbs-epilogue", "'" + text + "' is neither fused nor separate");
  }
  return text == "fused" ? MacroEpilogue::kFused : MacroEpilogue::kSeparate;
}

BlockShape shape_of(const std::string& text) {
  if (text != "row" && text != "square") {
    throw InputError("--weight-blocks", "'" + text + "' is neither row nor square");
  }
  return text == "row" ? BlockShape::kRow : BlockShape::kSquare;
}

}  // namespace

void CorrectionArguments::add_to(Arguments& arguments) {
  arguments.option("--macro", macro,
                   "macro-block scaling: none, static, dynamic, or hybrid (dynamic weights)");
  arguments.option("--macro-length", macro_length, "elements of K in a macro block", Least::kOne);
  arguments.option("--macro-bits", macro_bits, "mantissa bits of static multipliers", Least::kOne);
  arguments.option("--macro-candidates", macro_candidates, "candidates of dynamic multipliers",
                   Least::kOne);
  arguments.option("--mbs-epilogue", epilogue,
                   "how a macro block's sum meets the accumulator: fused or separate");
  arguments.option(
      "--hadamard", hadamard,
      "transform of both operands along K: none; 16, 32, 64 with seeded signs; plus16, "
      "plus32, plus64 without; te");
  arguments.option("--weight-blocks", weight_blocks,
                   "row, or square: one scale for 32x32 (mxfp4) or 16x16 (nvfp4) weights");
  arguments.optional(
      "--fallback", fallback,
      "dense outlier fallback: operand A's residual times this alpha, in accumulators "
      "of its own (0.5 published)");
  arguments.optional("--fallback-rate", fallback_rate,
                     "block-selective fallback: the residual of this share of A's tiles");
  arguments.optional("--fallback-theta", fallback_theta,
                     "block-selective fallback: the residual of tiles with a magnitude above this");
  arguments.option("--fallback-rows", fallback_rows, "rows of these tiles", Least::kOne);
  arguments.option("--fallback-channels", fallback_channels, "channels of these tiles",
                   Least::kOne);
  arguments.option("--noise", noise, "standard deviation of the noise on the rollout's weights");
}

bool CorrectionArguments::is_given() const {
  return macro != "none" || hadamard != "none" || weight_blocks != "row" || !fallback.empty() ||
         !fallback_rate.empty() || !fallback_theta.empty() || noise != 0;
}

CorrectionOptions CorrectionArguments::resolve() const {
  CorrectionOptions corrections;
  corrections.macro = macro_choice(macro);
  corrections.macro_block.length = macro_length;
  corrections.macro_block.mantissa_bits = small_integer(macro_bits, 1, 16, "--macro-bits");
  corrections.macro_block.candidates = small_integer(macro_candidates, 2, 64, "--macro-candidates");
  corrections.epilogue = epilogue_of(epilogue);
  corrections.hadamard = hadamard_of(hadamard);
  corrections.weight_shape = shape_of(weight_blocks);
  if (!(noise >= 0) || !std::isfinite(noise)) {
    throw InputError("--noise", "it is no standard deviation");
  }
  corrections.noise = noise;
  const int fallbacks = (fallback.empty() ? 0 : 1) + (fallback_rate.empty() ? 0 : 1) +
                        (fallback_theta.empty() ? 0 : 1);
  if (fallbacks == 0) {
    return corrections;
  }
  if (fallbacks > 1) {
    throw InputError("--fallback", "only one of --fallback, --fallback-rate and --fallback-theta");
  }
  if (!fallback.empty()) {
    corrections.fallback_alpha = static_cast<float>(number_of(fallback, "--fallback"));
    return corrections;
  }
  FallbackSelection selection;
  selection.tiles = {fallback_rows, fallback_channels};
  require_fallback_tiles(selection.tiles);
  if (!fallback_rate.empty()) {
    selection.rate = number_of(fallback_rate, "--fallback-rate");
    if (!(*selection.rate >= 0 && *selection.rate <= 1)) {
      throw InputError("--fallback-rate", "'" + fallback_rate + "' is outside 0 to 1");
    }
  } else {
    selection.theta = static_cast<float>(number_of(fallback_theta, "--fallback-theta"));
  }
  corrections.fallback_tiles = selection;
  return corrections;
}

ResidualPattern residual_with(const CorrectionOptions& corrections, const std::string& residual) {
  const ResidualPattern pattern = residual_pattern(residual);
  if (!corrections.has_fallback()) {
    return pattern;
  }
  if (pattern != ResidualPattern::kNone) {
    throw InputError("--fallback", "decides what becomes of the residual; leave out --residual");
  }
  return ResidualPattern::kDense;
}

}  // namespace nibblecore::tb
