// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <type_traits>

#include "model/common/checked.hpp"
#include "model/emulate/memory_pool.hpp"

namespace nibblecore {

/// Uninitialised memory for `size` numbers that begins at a cache line.
template <class T>
class AlignedBuffer {
 public:
  static_assert(std::is_arithmetic_v<T>);

  AlignedBuffer() = default;
  explicit AlignedBuffer(int64_t size) {
    const PooledMemory memory = MemoryPool::of_process().take(
        checked_multiply(size, static_cast<int64_t>(sizeof(T)), "decoded operand"));
    data_ = std::unique_ptr<T, GiveBack>(static_cast<T*>(memory.begin), GiveBack{memory.bytes});
  }

  T* data() { return data_.get(); }
  const T* data() const { return data_.get(); }

 private:
  struct GiveBack {
    int64_t bytes = 0;
    void operator()(T* memory) const { MemoryPool::of_process().give_back({memory, bytes}); }
  };
  std::unique_ptr<T, GiveBack> data_;
};

}  // namespace nibblecore
