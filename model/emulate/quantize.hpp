// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/emulate/emulator_target.hpp"
#include "model/formats/matrix_view.hpp"
#include "model/formats/packed_matrix.hpp"
#include "model/formats/preset.hpp"

namespace nibblecore {

/// Whether emulate_quantize has the preset: exact MXFP4 rules whose scale is a power of two made of
/// the largest magnitude, HiF4 `amct` and `model_a6_rne`, NVFP4 `te_nvfp4`; MXFP4 and NVFP4 with
/// any rounding that needs no random bits.
bool has_emulated_quantizer(const Preset& preset);

/// Quantizes `input` [rows, k] along k, fast: the bits that the preset's definition gives
/// (docs/numerics.md). A tail shorter than a block counts as padded with zeros, and its padding has
/// code 0. NVFP4 takes its tensor scale from the whole of `input`. On up to `threads` threads (0:
/// one per processor); neither their number nor the target, which must be available, changes a
/// bit. InputError where the size overflows or the preset has no emulated quantizer.
PackedMatrix emulate_quantize(const MatrixView& input, const Preset& preset, int threads,
                              EmulatorTarget target = best_emulator_target());

/// The same into `packed`, whose every code and scale is written and nothing is allocated for.
/// InputError as above, or where it has not the preset's format and the input's size.
void emulate_quantize(const MatrixView& input, const Preset& preset, int threads,
                      PackedMatrix& packed, EmulatorTarget target = best_emulator_target());

}  // namespace nibblecore
