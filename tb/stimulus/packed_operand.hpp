// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/formats/packed_matrix.hpp"
#include "tb/stimulus/constraints.hpp"
#include "tb/stimulus/dice.hpp"
#include "tb/stimulus/theme.hpp"

namespace nibblecore::tb {

/// A packed matrix [rows, k], its padded tail zero.
PackedMatrix random_packed(Dice& dice, const StimulusConstraints& constraints, const Theme& theme,
                           const BlockFormat& format, int64_t rows, int64_t k);

}  // namespace nibblecore::tb
