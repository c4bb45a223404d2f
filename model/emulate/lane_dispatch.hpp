// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/common/error.hpp"
#include "model/emulate/emulator_target.hpp"

namespace nibblecore {

/// Runs a kernel that is written in vectors of `Width` lanes: `kernel.run<Width>(arguments)`,
/// compiled for each target. It and what it calls must be always_inline, so that they become part
/// of the function that carries the target.
template <class Kernel>
struct LaneDispatch {
  template <class Arguments>
  static void run(EmulatorTarget target, const Arguments& arguments, const Kernel& kernel = {}) {
    switch (target) {
      case EmulatorTarget::kPortable:
        return run_portable(arguments, kernel);
      case EmulatorTarget::kAvx2:
      case EmulatorTarget::kAvxVnni:
        return run_avx2(arguments, kernel);
      case EmulatorTarget::kAvx512Vnni:
      case EmulatorTarget::kAmx:
        return run_avx512(arguments, kernel);
    }
    throw InternalError("unknown emulator target");
  }

 private:
  template <class Arguments>
  static void run_portable(const Arguments& arguments, const Kernel& kernel) {
    kernel.template run<4>(arguments);
  }
  template <class Arguments>
  [[gnu::target("avx2,fma")]] static void run_avx2(const Arguments& arguments,
                                                   const Kernel& kernel) {
    kernel.template run<8>(arguments);
  }
  template <class Arguments>
  [[gnu::target("avx512f,avx512bw,avx512dq,avx512vl")]] static void run_avx512(
      const Arguments& arguments, const Kernel& kernel) {
    kernel.template run<16>(arguments);
  }
};

}  // namespace nibblecore
