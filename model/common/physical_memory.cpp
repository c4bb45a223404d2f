// SPDX-License-Identifier: Apache-2.0
#include "model/common/physical_memory.hpp"

#include <limits>

#include <unistd.h>

namespace nibblecore {

int64_t physical_memory_bytes() {
  const int64_t pages = sysconf(_SC_PHYS_PAGES);
  const int64_t page_bytes = sysconf(_SC_PAGESIZE);
  int64_t bytes = 0;
  if (pages <= 0 || page_bytes <= 0 || __builtin_mul_overflow(pages, page_bytes, &bytes)) {
    return std::numeric_limits<int64_t>::max();
  }
  return bytes;
}

}  // namespace nibblecore
