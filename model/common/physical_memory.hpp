// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace nibblecore {

/// Bytes of memory that this machine has; the greatest int64_t where it does not say.
int64_t physical_memory_bytes();

}  // namespace nibblecore
