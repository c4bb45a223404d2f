// SPDX-License-Identifier: Apache-2.0
#include "model/machine/core_description.hpp"

#include <string>

#include "model/common/error.hpp"

namespace nibblecore {

void require_supported(const CoreDescription& core, const BlockFormat& format) {
  // Asked for every tiling that is looked at: a text is made only where it is needed.
  const auto place = [&] {
    return "core of " + std::to_string(core.rows) + " x " + std::to_string(core.columns) + " x " +
           std::to_string(core.depth);
  };
  if (core.rows <= 0 || core.columns <= 0 || core.depth <= 0) {
    throw InputError(place(), "rows, columns and depth must be positive");
  }
  if (core.depth % format.block != 0) {
    throw InputError(place(), "depth " + std::to_string(core.depth) +
                                  " is not a multiple of the block of " +
                                  std::to_string(format.block));
  }
}

}  // namespace nibblecore
