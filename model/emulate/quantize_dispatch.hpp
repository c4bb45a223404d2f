// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/common/error.hpp"
#include "model/emulate/emulator_target.hpp"

namespace nibblecore {

/// Runs a kernel that is written in QuantizeLanes: `kernel.run<Width>(arguments)`, compiled for
/// each target. It and what it calls must be always_inline, so that they become part of the
/// function that carries the target.
template <class Kernel, class Arguments>
struct QuantizeDispatch {
  static void run(EmulatorTarget target, const Kernel& kernel, const Arguments& arguments) {
    switch (target) {
      case EmulatorTarget::kPortable:
        return run_portable(kernel, arguments);
      case EmulatorTarget::kAvx2:
      case EmulatorTarget::kAvxVnni:
        return run_avx2(kernel, arguments);
      case EmulatorTarget::kAvx512Vnni:
      case EmulatorTarget::kAmx:
        return run_avx512(kernel, arguments);
    }
    throw InternalError("unknown emulator target");
  }

 private:
  static void run_portable(const Kernel& kernel, const Arguments& arguments) {
    kernel.template run<4>(arguments);
  }
  [[gnu::target("avx2")]] static void run_avx2(const Kernel& kernel, const Arguments& arguments) {
    kernel.template run<8>(arguments);
  }
  [[gnu::target("avx512f,avx512bw,avx512dq,avx512vl")]] static void run_avx512(
      const Kernel& kernel, const Arguments& arguments) {
    kernel.template run<16>(arguments);
  }
};

}  // namespace nibblecore
