// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <random>
#include <vector>

#include "model/emulate/emulator_target.hpp"
#include "model/formats/matrix_view.hpp"
#include "model/formats/packed_matrix.hpp"
#include "model/formats/preset.hpp"

namespace nibblecore {

/// The targets that this processor can run.
std::vector<EmulatorTarget> available_targets();

/// Every preset that has an emulated quantizer, with every rounding that it has it with.
std::vector<Preset> emulated_presets();

/// The default of each format, and HiF4's hardware path.
std::vector<Preset> main_presets();

/// Expects the same format, size, codes, scales and tensor scale, a NaN being like any other.
void expect_same_bits(const PackedMatrix& actual, const PackedMatrix& expected);

/// Expects of every available target what the golden quantizer makes of `input`.
void expect_golden(const MatrixView& input, const Preset& preset);

/// FP32 bits: any of them, with infinities and NaN among them.
std::vector<uint32_t> random_bits(size_t count, std::mt19937& random);

/// FP32 bits of finite numbers; each run of `together` has exponents of some twenty binades.
std::vector<uint32_t> random_numbers(size_t count, size_t together, std::mt19937& random);

/// A row-major FP32 view of bits.
MatrixView view_of(const std::vector<uint32_t>& bits, int64_t rows, int64_t k);

}  // namespace nibblecore
