// SPDX-License-Identifier: Apache-2.0
#include "model/emulate/memory_pool.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <new>

#include <sys/mman.h>

#include "model/common/checked.hpp"

namespace nibblecore {
namespace {

constexpr int64_t kCacheLine = 64;
constexpr int64_t kLargePage = int64_t{2} << 20;
/// Less is left to the allocator alone.
constexpr int64_t kSmallestPooled = int64_t{64} << 10;

PooledMemory allocate(int64_t bytes) {
  const bool is_large = bytes >= kLargePage;
  const int64_t alignment = is_large ? kLargePage : kCacheLine;
  const int64_t whole =
      std::max(alignment, checked_multiply(ceil_divide(bytes, alignment), alignment, "memory"));
  void* memory = std::aligned_alloc(static_cast<size_t>(alignment), static_cast<size_t>(whole));
  if (memory == nullptr) {
    throw std::bad_alloc();
  }
  if (is_large) {
    // Only a wish: without large pages the memory is the same.
    madvise(memory, static_cast<size_t>(whole), MADV_HUGEPAGE);
  }
  return {memory, whole};
}

}  // namespace

MemoryPool::~MemoryPool() {
  for (const PooledMemory& memory : unused_) {
    std::free(memory.begin);
  }
}

PooledMemory MemoryPool::take(int64_t bytes) {
  if (bytes >= kSmallestPooled) {
    const std::lock_guard<std::mutex> lock(mutex_);
    auto best = unused_.end();
    for (auto it = unused_.begin(); it != unused_.end(); ++it) {
      // Twice as much would be waste.
      const bool fits = it->bytes >= bytes && it->bytes / 2 <= bytes;
      best = fits && (best == unused_.end() || it->bytes < best->bytes) ? it : best;
    }
    if (best != unused_.end()) {
      const PooledMemory memory = *best;
      unused_.erase(best);
      unused_bytes_ -= memory.bytes;
      return memory;
    }
  }
  return allocate(bytes);
}

void MemoryPool::give_back(const PooledMemory& memory) {
  if (memory.bytes >= kSmallestPooled) {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (memory.bytes <= kept_bytes_ - unused_bytes_) {
      unused_.push_back(memory);
      unused_bytes_ += memory.bytes;
      return;
    }
  }
  std::free(memory.begin);
}

int64_t MemoryPool::unused_bytes() const {
  const std::lock_guard<std::mutex> lock(mutex_);
  return unused_bytes_;
}

MemoryPool& MemoryPool::of_process() {
  static MemoryPool pool(int64_t{64} << 20);
  return pool;
}

}  // namespace nibblecore
