// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <mutex>
#include <vector>

namespace nibblecore {

/// A piece of memory of a pool.
struct PooledMemory {
  void* begin;
  int64_t bytes;
};

/// Large pieces of memory, kept for the next use instead of being returned to the system, which
/// would have to clear them again: one GEMM after the other needs the same. Much of it lies on
/// large pages where the system has them, since kernels stride through it faster than small pages
/// are looked up. Any thread may use it.
class MemoryPool {
 public:
  /// Keeps up to this many bytes that nobody uses.
  explicit MemoryPool(int64_t kept_bytes) : kept_bytes_(kept_bytes) {}
  ~MemoryPool();
  MemoryPool(const MemoryPool&) = delete;
  MemoryPool& operator=(const MemoryPool&) = delete;

  /// At least `bytes` of memory that begins at a cache line; std::bad_alloc where there is none.
  PooledMemory take(int64_t bytes);
  void give_back(const PooledMemory& memory);

  int64_t unused_bytes() const;

  /// The one that operands of GEMMs share; it keeps 64 MiB.
  static MemoryPool& of_process();

 private:
  int64_t kept_bytes_;
  mutable std::mutex mutex_;
  int64_t unused_bytes_ = 0;
  std::vector<PooledMemory> unused_;
};

}  // namespace nibblecore
