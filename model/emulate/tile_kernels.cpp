// SPDX-License-Identifier: Apache-2.0
#include "model/emulate/tile_kernels.hpp"

#include "model/common/error.hpp"

namespace nibblecore {

const TileKernels& tile_kernels(EmulatorTarget target, int length) {
  switch (target) {
    case EmulatorTarget::kPortable:
      return kPortableKernels;
    case EmulatorTarget::kAvx2:
      return kAvx2Kernels;
    case EmulatorTarget::kAvxVnni:
      return kAvxVnniKernels;
    case EmulatorTarget::kAvx512Vnni:
      return kAvx512VnniKernels;
    case EmulatorTarget::kAmx:
      return length < 32 ? kAvx512VnniKernels : kAmxKernels;
  }
  throw InternalError("unknown emulator target");
}

}  // namespace nibblecore
