// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

namespace nibblecore::tb {

/// A line on standard error that says how far long work is, its rate and the time left; silent
/// where standard error is not a terminal.
class Progress {
 public:
  /// `unit` names what is counted, `total` how many there are.
  Progress(std::string unit, int64_t total);

  void advance(int64_t count);
  /// Removes the line.
  void finish();

 private:
  using Clock = std::chrono::steady_clock;

  std::string unit_;
  int64_t total_;
  int64_t done_ = 0;
  bool visible_;
  Clock::time_point start_;
  Clock::time_point shown_;
};

}  // namespace nibblecore::tb
