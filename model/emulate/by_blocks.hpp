// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/common/error.hpp"

namespace nibblecore {

/// Kernel::run<number of blocks>(arguments): a loop over a known number of blocks is unrolled.
template <class Kernel, class Arguments>
[[gnu::always_inline]] inline void by_blocks(int64_t blocks, const Arguments& arguments) {
  switch (blocks) {
    case 1:
      return Kernel::template run<1>(arguments);
    case 2:
      return Kernel::template run<2>(arguments);
    case 3:
      return Kernel::template run<3>(arguments);
    case 4:
      return Kernel::template run<4>(arguments);
    default:
      throw InternalError("no kernel for this number of blocks");
  }
}

}  // namespace nibblecore
