// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "model/common/checked.hpp"

namespace nibblecore {

/// `size` rounded up to a multiple.
constexpr int64_t padded(int64_t size, int64_t multiple) {
  return ceil_divide(size, multiple) * multiple;
}

}  // namespace nibblecore
