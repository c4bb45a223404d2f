// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "model/machine/program.hpp"

namespace nibblecore::hw {

/// A unit's place in the program: the trip it works on next.
class TripCursor {
 public:
  void start(const Program& program) {
    program_ = &program;
    index_ = ChunkIndex{};
    trip_ = 0;
    done_ = false;
    body_ = program.body(index_);
  }

  void stop() { done_ = true; }

  bool done() const { return done_; }
  const ChunkIndex& index() const { return index_; }
  const ChunkBody& body() const { return body_; }
  int64_t trip() const { return trip_; }
  /// Half of a buffer that every trip fills once.
  size_t half() const { return static_cast<size_t>(trip_ % 2); }

  void advance() {
    done_ = !nibblecore::advance(*program_, index_);
    if (!done_) {
      ++trip_;
      body_ = program_->body(index_);
    }
  }

 private:
  const Program* program_ = nullptr;
  ChunkIndex index_;
  ChunkBody body_{};
  int64_t trip_ = 0;
  bool done_ = true;
};

}  // namespace nibblecore::hw
