// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "model/emulate/emulator_target.hpp"
#include "model/formats/matrix_view.hpp"

namespace nibblecore {

/// FP32 bits of the largest magnitude of values, NaN above all; 0 without values.
uint32_t largest_span_magnitude(const unsigned char* values, ValueType type, int64_t count,
                                EmulatorTarget target);

}  // namespace nibblecore
