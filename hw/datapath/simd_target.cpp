// SPDX-License-Identifier: Apache-2.0
#include "hw/datapath/simd_target.hpp"

#include "model/common/error.hpp"

namespace nibblecore::hw {

std::string_view simd_target_name(SimdTarget target) {
  switch (target) {
    case SimdTarget::kBaseline:
      return "baseline";
    case SimdTarget::kAvx2:
      return "avx2";
    case SimdTarget::kAvx512:
      return "avx512";
  }
  throw InternalError("unknown SIMD target");
}

bool is_available(SimdTarget target) {
  switch (target) {
    case SimdTarget::kBaseline:
      return true;
    case SimdTarget::kAvx2:
      return __builtin_cpu_supports("avx2") != 0;
    case SimdTarget::kAvx512:
      return __builtin_cpu_supports("avx512f") != 0 && __builtin_cpu_supports("avx512bw") != 0 &&
             __builtin_cpu_supports("avx512dq") != 0 && __builtin_cpu_supports("avx512vl") != 0;
  }
  throw InternalError("unknown SIMD target");
}

SimdTarget best_simd_target() {
  SimdTarget best = SimdTarget::kBaseline;
  for (const SimdTarget target : kSimdTargets) {
    best = is_available(target) ? target : best;
  }
  return best;
}

}  // namespace nibblecore::hw
