// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

#include "model/formats/macro_scales.hpp"
#include "model/quantize/hadamard.hpp"
#include "model/quantize/macro_block.hpp"
#include "model/scheme/gemm_treatment.hpp"

namespace nibblecore::tb {

/// Which operands find their macro blocks' multipliers how (arXiv 2603.08713).
enum class MacroChoice {
  kNone,
  kStatic,
  kDynamic,
  kHybrid,  ///< dynamic weights, static activations and gradients
};

struct MacroChoiceRecord {
  std::string_view name;
  MacroChoice choice;
};
inline constexpr std::array<MacroChoiceRecord, 4> kMacroChoices{{{"none", MacroChoice::kNone},
                                                                 {"static", MacroChoice::kStatic},
                                                                 {"dynamic", MacroChoice::kDynamic},
                                                                 {"hybrid", MacroChoice::kHybrid}}};

/// What an operand of a linear layer's GEMM is; gradients count as activations.
enum class OperandRole { kWeight, kActivation };

/// Corrections of every GEMM where no scheme says what its operands get.
struct CorrectionOptions {
  MacroChoice macro = MacroChoice::kNone;
  MacroBlockScaling macro_block;  ///< its search follows `macro`
  MacroEpilogue epilogue = MacroEpilogue::kFused;
  std::optional<HadamardTransform> hadamard;  ///< of both operands
  BlockShape weight_shape = BlockShape::kRow;
  std::optional<float> fallback_alpha;              ///< of the residual of A
  std::optional<FallbackSelection> fallback_tiles;  ///< of the residual of A
  double noise = 0;  ///< standard deviation of the noise on the weights of the rollout

  /// Whether a residual is part of them; it is then dense, and no other may be asked for.
  bool has_fallback() const { return fallback_alpha.has_value() || fallback_tiles.has_value(); }
  /// The macro-block scaling of an operand.
  std::optional<MacroBlockScaling> macro_of(OperandRole role) const;
};

/// The choice of this name; InputError naming the known ones otherwise.
MacroChoice macro_choice(std::string_view name);
std::string_view name_of(MacroChoice choice);

}  // namespace nibblecore::tb
