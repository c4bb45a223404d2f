// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "model/analysis/blocked_rows.hpp"
#include "model/analysis/decomposition.hpp"
#include "model/common/random_stream.hpp"
#include "model/formats/preset.hpp"

namespace nibblecore {

/// The error of a tensor under `preset`, in its parts, on up to `threads` threads (0: one per
/// processor); the result does not depend on their number. Q is what the preset's own library
/// decodes. NVFP4 takes its tensor scale from the whole tensor. A stochastic rounding needs
/// `random`, whose element indices are offsets from the tensor's first element. Memory does not
/// grow with the tensor.
Decomposition decompose(const BlockedRows& tensor, const Preset& preset, int threads,
                        const std::optional<RandomStream>& random = std::nullopt);
Decomposition decompose(const MatrixView& matrix, const Preset& preset, int threads,
                        const std::optional<RandomStream>& random = std::nullopt);

}  // namespace nibblecore
