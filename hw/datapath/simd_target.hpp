// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <string_view>

namespace nibblecore::hw {

/// Instruction sets that the array's kernels are compiled for, in ascending order: x86-64 itself,
/// AVX2, and AVX-512 (F, BW, DQ, VL). They differ in speed alone: every bit is the same.
enum class SimdTarget { kBaseline, kAvx2, kAvx512 };

inline constexpr std::array<SimdTarget, 3> kSimdTargets{SimdTarget::kBaseline, SimdTarget::kAvx2,
                                                        SimdTarget::kAvx512};

std::string_view simd_target_name(SimdTarget target);

/// True where this processor and its operating system can run the target.
bool is_available(SimdTarget target);

/// The widest target that is available here.
SimdTarget best_simd_target();

}  // namespace nibblecore::hw
