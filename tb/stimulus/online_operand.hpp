// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "model/formats/preset.hpp"
#include "model/machine/gemm_spec.hpp"
#include "tb/stimulus/constraints.hpp"
#include "tb/stimulus/dice.hpp"
#include "tb/stimulus/theme.hpp"

namespace nibblecore::tb {

/// Values [rows, k] of an online operand in its input width, row-major, as its quantizer will find
/// them interesting.
std::vector<uint8_t> random_online(Dice& dice, const StimulusConstraints& constraints,
                                   const Theme& theme, const Preset& preset, OperandPath path,
                                   int64_t rows, int64_t k);

/// A quantizer of this format: a scale rule and a rounding, or a preset.
Preset random_preset(Dice& dice, const BlockFormat& format);

}  // namespace nibblecore::tb
