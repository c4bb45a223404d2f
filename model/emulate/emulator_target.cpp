// SPDX-License-Identifier: Apache-2.0
#include "model/emulate/emulator_target.hpp"

#include <cpuid.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "model/common/error.hpp"

namespace nibblecore {
namespace {

/// Bits of cpuid leaf 7 that GCC 12 has no names for in __builtin_cpu_supports.
constexpr unsigned int kAvxVnniBit = 1U << 4;   // subleaf 1, EAX
constexpr unsigned int kAmxInt8Bit = 1U << 25;  // subleaf 0, EDX
constexpr unsigned int kAmxTileBit = 1U << 24;
constexpr unsigned int kAmxBf16Bit = 1U << 22;

bool has_avx2() {
  return __builtin_cpu_supports("avx2") != 0 && __builtin_cpu_supports("fma") != 0;
}

bool has_avx_vnni() {
  unsigned int eax = 0;
  unsigned int ebx = 0;
  unsigned int ecx = 0;
  unsigned int edx = 0;
  return has_avx2() && __get_cpuid_count(7, 1, &eax, &ebx, &ecx, &edx) != 0 &&
         (eax & kAvxVnniBit) != 0;
}

bool has_avx512_vnni() {
  return has_avx2() && __builtin_cpu_supports("avx512f") != 0 &&
         __builtin_cpu_supports("avx512bw") != 0 && __builtin_cpu_supports("avx512dq") != 0 &&
         __builtin_cpu_supports("avx512vl") != 0 && __builtin_cpu_supports("avx512vnni") != 0;
}

/// Linux gives a process the tiles' state only when asked.
bool may_use_tiles() {
#ifdef __linux__
  constexpr long request_permission = 0x1023;  // ARCH_REQ_XCOMP_PERM
  constexpr long tile_data = 18;               // XFEATURE_XTILEDATA
  return syscall(SYS_arch_prctl, request_permission, tile_data) == 0;
#else
  return false;
#endif
}

bool has_amx() {
  unsigned int eax = 0;
  unsigned int ebx = 0;
  unsigned int ecx = 0;
  unsigned int edx = 0;
  return has_avx512_vnni() && __get_cpuid_count(7, 0, &eax, &ebx, &ecx, &edx) != 0 &&
         (edx & kAmxInt8Bit) != 0 && (edx & kAmxTileBit) != 0 && (edx & kAmxBf16Bit) != 0 &&
         may_use_tiles();
}

}  // namespace

std::string_view name_of(EmulatorTarget target) {
  for (const EmulatorTargetRecord& record : kEmulatorTargets) {
    if (record.target == target) {
      return record.name;
    }
  }
  throw InternalError("unknown emulator target");
}

bool is_available(EmulatorTarget target) {
  switch (target) {
    case EmulatorTarget::kPortable:
      return true;
    case EmulatorTarget::kAvx2:
      return has_avx2();
    case EmulatorTarget::kAvxVnni:
      return has_avx_vnni();
    case EmulatorTarget::kAvx512Vnni:
      return has_avx512_vnni();
    case EmulatorTarget::kAmx: {
      static const bool available = has_amx();
      return available;
    }
  }
  throw InternalError("unknown emulator target");
}

EmulatorTarget best_emulator_target() {
  EmulatorTarget best = EmulatorTarget::kPortable;
  for (const EmulatorTargetRecord& record : kEmulatorTargets) {
    best = is_available(record.target) ? record.target : best;
  }
  return best;
}

}  // namespace nibblecore
