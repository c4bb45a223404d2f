// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include <systemc>

#include "model/common/error.hpp"

namespace nibblecore::hw {

/// A counting flag between units: "filled" and "free" of a double buffer. What one side posts in a
/// cycle the other can take from the next cycle on, whatever the order of the processes.
class Flag final : public sc_core::sc_prim_channel {
 public:
  explicit Flag(const char* name) : sc_core::sc_prim_channel(name) {}

  /// Sets the count while no simulation runs.
  void set(int64_t count) {
    count_ = count;
    posted_ = taken_ = 0;
  }

  /// True where there is something to take.
  bool ready() const { return count_ - taken_ > 0; }

  void take() {
    if (!ready()) {
      throw InternalError(std::string(name()) + ": taken while not set");
    }
    ++taken_;
    request_update();
  }

  void post() {
    ++posted_;
    request_update();
  }

  /// Readable by traces.
  const int64_t& count() const { return count_; }

 private:
  void update() override {
    count_ += posted_ - taken_;
    posted_ = taken_ = 0;
  }

  int64_t count_ = 0;
  int64_t posted_ = 0;
  int64_t taken_ = 0;
};

/// The two flags of a double buffer.
struct BufferFlags {
  Flag filled;
  Flag free;

  explicit BufferFlags(const std::string& name)
      : filled((name + "_filled").c_str()), free((name + "_free").c_str()) {}

  /// Both halves free.
  void clear() {
    filled.set(0);
    free.set(kHalves);
  }

  static constexpr int64_t kHalves = 2;
};

}  // namespace nibblecore::hw
