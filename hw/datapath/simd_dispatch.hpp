// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "hw/datapath/simd_target.hpp"
#include "model/common/error.hpp"

namespace nibblecore::hw {

// One description of a kernel, compiled once for every target. `Kernel::run` and what it calls must
// be always_inline, so that it becomes part of the function that carries the target; a lambda would
// not.

template <class Kernel, class Arguments>
[[gnu::target("avx512f,avx512bw,avx512dq,avx512vl")]] auto run_avx512(const Arguments& arguments) {
  return Kernel::run(arguments);
}

template <class Kernel, class Arguments>
[[gnu::target("avx2")]] auto run_avx2(const Arguments& arguments) {
  return Kernel::run(arguments);
}

template <class Kernel, class Arguments>
auto run_baseline(const Arguments& arguments) {
  return Kernel::run(arguments);
}

/// Kernel::run(arguments), compiled for `target`, which must be available.
template <class Kernel, class Arguments>
auto run_on(SimdTarget target, const Arguments& arguments) {
  switch (target) {
    case SimdTarget::kBaseline:
      return run_baseline<Kernel>(arguments);
    case SimdTarget::kAvx2:
      return run_avx2<Kernel>(arguments);
    case SimdTarget::kAvx512:
      return run_avx512<Kernel>(arguments);
  }
  throw InternalError("unknown SIMD target");
}

}  // namespace nibblecore::hw
