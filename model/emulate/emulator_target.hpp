// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <string_view>

namespace nibblecore {

/// Instruction sets that the emulator's kernels are compiled for: x86-64 itself, AVX2 with FMA, the
/// same with VNNI in 256 bits, AVX-512 (F, BW, DQ, VL) with VNNI, and AMX (INT8, BF16) beside it.
/// They differ in speed alone: every bit is the same.
enum class EmulatorTarget { kPortable, kAvx2, kAvxVnni, kAvx512Vnni, kAmx };

struct EmulatorTargetRecord {
  std::string_view name;
  EmulatorTarget target;
};

/// In ascending order of speed.
inline constexpr std::array<EmulatorTargetRecord, 5> kEmulatorTargets{{
    {"portable", EmulatorTarget::kPortable},
    {"avx2", EmulatorTarget::kAvx2},
    {"avxvnni", EmulatorTarget::kAvxVnni},
    {"avx512vnni", EmulatorTarget::kAvx512Vnni},
    {"amx", EmulatorTarget::kAmx},
}};

std::string_view name_of(EmulatorTarget target);

/// True where this processor and its operating system can run the target (asks the system for the
/// use of AMX tiles the first time).
bool is_available(EmulatorTarget target);

/// The fastest target that is available here.
EmulatorTarget best_emulator_target();

}  // namespace nibblecore
