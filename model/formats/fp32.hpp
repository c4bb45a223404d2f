// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "model/formats/number_format.hpp"

namespace nibblecore {

/// FP32 (IEEE 754 binary32), the accumulator format.
inline constexpr NumberFormat kFp32Format{"FP32", 8, 23, 127, true, true, SpecialCodes::kIeee};

inline constexpr uint32_t kFp32SignBit = 0x80000000;
inline constexpr uint32_t kFp32Infinity = 0x7F800000;
inline constexpr uint32_t kFp32LargestFinite = 0x7F7FFFFF;
/// The one NaN that the policies `fp32-rne`, `fp32-fused` and `exact` write.
inline constexpr uint32_t kFp32Nan = 0x7FC00000;

constexpr bool fp32_is_nan(uint32_t bits) { return (bits & ~kFp32SignBit) > kFp32Infinity; }
constexpr bool fp32_is_infinite(uint32_t bits) { return (bits & ~kFp32SignBit) == kFp32Infinity; }
constexpr bool fp32_is_finite(uint32_t bits) { return (bits & ~kFp32SignBit) < kFp32Infinity; }

}  // namespace nibblecore
