// SPDX-License-Identifier: Apache-2.0
#include "model/emulate/aligned_buffer.hpp"

#include <cstdlib>
#include <new>

#include <sys/mman.h>

namespace nibblecore {
namespace {

constexpr int64_t kCacheLine = 64;
constexpr int64_t kLargePage = int64_t{2} << 20;

}  // namespace

void* allocate_aligned(int64_t bytes) {
  const bool is_large = bytes >= kLargePage;
  const int64_t alignment = is_large ? kLargePage : kCacheLine;
  const int64_t whole = checked_multiply(ceil_divide(bytes, alignment), alignment, "memory");
  void* memory = std::aligned_alloc(static_cast<size_t>(alignment),
                                    static_cast<size_t>(whole > 0 ? whole : alignment));
  if (memory == nullptr) {
    throw std::bad_alloc();
  }
  if (is_large) {
    // Only a wish: without large pages the memory is the same.
    madvise(memory, static_cast<size_t>(whole), MADV_HUGEPAGE);
  }
  return memory;
}

void free_aligned(void* memory) { std::free(memory); }

}  // namespace nibblecore
