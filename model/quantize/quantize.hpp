// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/formats/matrix_view.hpp"
#include "model/formats/packed_matrix.hpp"
#include "model/formats/preset.hpp"
#include "model/quantize/nvfp4.hpp"
#include "model/quantize/quantize_choices.hpp"
#include "model/quantize/quantize_rows.hpp"

namespace nibblecore {

/// Quantizes `input` [rows, k] along k by `preset`, on up to `threads` threads (0: one per
/// processor); the result does not depend on their number. A tail shorter than a block counts as
/// padded with zeros, and its padding has code 0. NVFP4 takes its tensor scale from the whole of
/// `input`. InputError where the size overflows, or the rounding is stochastic.
PackedMatrix quantize(const MatrixView& input, const Preset& preset, int threads);

/// The same, and writes `decoded` [rows, k]: FP32 values as the preset's own library decodes them.
PackedMatrix quantize(const MatrixView& input, const Preset& preset, int threads, float* decoded);

/// The same with choices; `decoded` may be null. InputError where the size overflows, or as
/// require_choices.
PackedMatrix quantize(const MatrixView& input, const Preset& preset, const QuantizeChoices& choices,
                      int threads, float* decoded = nullptr);

/// The tensor scale that quantize() uses: NVFP4's for the whole of `input`, {1, 1} for the formats
/// that have none.
Nvfp4TensorScale tensor_scale(const MatrixView& input, const Preset& preset, int threads);

/// The same for the [rows, k] matrix that `source` gives, each row asked for at most once.
Nvfp4TensorScale tensor_scale(const RowSource& source, int64_t rows, int64_t k,
                              const Preset& preset, int threads);

/// The largest magnitude of `input`; NaN where any value is NaN, 0 for an empty matrix.
float largest_magnitude(const MatrixView& input, int threads);

/// The same for the [rows, k] matrix that `source` gives.
float largest_magnitude(const RowSource& source, int64_t rows, int64_t k, int threads);

/// The rows of a view, whose data must stay.
RowSource view_rows(const MatrixView& input);

}  // namespace nibblecore
