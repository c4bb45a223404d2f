// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>

namespace nibblecore {

/// log2f of a positive number as torch, numpy and C libraries give it: log2 rounded to FP32. A few
/// units in the last place below a power of two it rounds to the next integer.
inline float log2_in_fp32(float value) { return static_cast<float>(std::log2(double{value})); }

inline int floor_log2f(float value) { return static_cast<int>(std::floor(log2_in_fp32(value))); }

inline int ceil_log2f(float value) { return static_cast<int>(std::ceil(log2_in_fp32(value))); }

}  // namespace nibblecore
