// SPDX-License-Identifier: Apache-2.0
#include "model/emulate/tile_kernels.hpp"

#include "model/common/error.hpp"

namespace nibblecore {

const TileKernels& tile_kernels(EmulatorTarget target, int length) {
  switch (target) {
    case EmulatorTarget::kPortable:
      return portable_kernels();
    case EmulatorTarget::kAvx2:
      return avx2_kernels();
    case EmulatorTarget::kAvxVnni:
      return avxvnni_kernels();
    case EmulatorTarget::kAvx512Vnni:
      return avx512vnni_kernels();
    case EmulatorTarget::kAmx:
      return length < 32 ? avx512vnni_kernels() : amx_kernels();
  }
  throw InternalError("unknown emulator target");
}

}  // namespace nibblecore
