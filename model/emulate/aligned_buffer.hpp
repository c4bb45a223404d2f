// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <type_traits>

#include "model/common/checked.hpp"

namespace nibblecore {

/// `bytes` of uninitialised memory that begins at a cache line; much of it on large pages where the
/// system has them, since kernels stride through it faster than small pages are looked up.
void* allocate_aligned(int64_t bytes);
void free_aligned(void* memory);

/// Such memory for `size` numbers.
template <class T>
class AlignedBuffer {
 public:
  static_assert(std::is_arithmetic_v<T>);

  AlignedBuffer() = default;
  explicit AlignedBuffer(int64_t size)
      : data_(static_cast<T*>(allocate_aligned(
            checked_multiply(size, static_cast<int64_t>(sizeof(T)), "decoded operand")))) {}

  T* data() { return data_.get(); }
  const T* data() const { return data_.get(); }

 private:
  struct Free {
    void operator()(T* memory) const { free_aligned(memory); }
  };
  std::unique_ptr<T, Free> data_;
};

}  // namespace nibblecore
