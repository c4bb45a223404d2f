// SPDX-License-Identifier: Apache-2.0
#include "model/emulate/tile_adder.hpp"

#include <string>

#include "model/common/error.hpp"
#include "model/emulate/fused_adder.hpp"
#include "model/emulate/nearest_adder.hpp"
#include "model/emulate/truncating_adder.hpp"

namespace nibblecore {

std::unique_ptr<TileAdder> make_tile_adder(Accumulation policy, const BlockFormat& format,
                                           EmulatorTarget target) {
  const bool is_whole_step = format.block == kFusedWidth;
  switch (policy) {
    case Accumulation::kFp32Fused:
      if (!is_whole_step) {
        return std::make_unique<FusedAdder>(format, target);
      }
      [[fallthrough]];  // a step is one block
    case Accumulation::kFp32Rne:
      return std::make_unique<NearestAdder>(tile_kernels(target, format.block));
    case Accumulation::kBlackwell:
    case Accumulation::kBlackwellV1:
    case Accumulation::kBlackwellMxf8f6f4:
      return std::make_unique<TruncatingAdder>(policy, format, target);
    case Accumulation::kExact:
      break;
  }
  throw InternalError("no adder for policy " + std::string(name_of(policy)));
}

}  // namespace nibblecore
