// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <utility>

#include "model/common/error.hpp"

namespace nibblecore {

/// When the halves of a buffer are free: they are filled in turn and freed in the same order, so
/// fill i waits until fill i - 2 was freed.
class DoubleBuffer {
 public:
  /// Takes the half that was freed first; returns when that was. InternalError where none was: a
  /// program that waits for itself.
  int64_t take() {
    if (free_ == 0) {
      throw InternalError("a buffer is filled a third time before it was freed once");
    }
    --free_;
    return std::exchange(first_, second_);
  }

  void release(int64_t time) {
    (free_ == 0 ? first_ : second_) = time;
    ++free_;
  }

  int free_halves() const { return free_; }
  /// When half `index` of the free ones was freed.
  int64_t freed(int index) const { return index == 0 ? first_ : second_; }

  void shift(int64_t cycles) {
    first_ += cycles;
    second_ += cycles;
  }

 private:
  int free_ = 2;
  int64_t first_ = 0;
  int64_t second_ = 0;
};

}  // namespace nibblecore
