// SPDX-License-Identifier: Apache-2.0
#include "tb/replay/progress.hpp"

#include <cstdio>
#include <utility>

#include <unistd.h>

#include <fmt/format.h>

namespace nibblecore::tb {
namespace {

constexpr std::chrono::milliseconds kRefresh{200};

}  // namespace

Progress::Progress(std::string unit, int64_t total)
    : unit_(std::move(unit)),
      total_(total),
      visible_(isatty(STDERR_FILENO) != 0),
      start_(Clock::now()),
      shown_(start_) {}

void Progress::advance(int64_t count) {
  done_ += count;
  const Clock::time_point now = Clock::now();
  if (!visible_ || now - shown_ < kRefresh || done_ == 0) {
    return;
  }
  shown_ = now;
  const double seconds = std::chrono::duration<double>(now - start_).count();
  const double rate = static_cast<double>(done_) / seconds;
  const double left = static_cast<double>(total_ - done_) / rate;
  fmt::print(stderr, "\r\033[K{} of {} {} ({:.0f} %), {:.0f} {}/s, {:.0f} s left", done_, total_,
             unit_, 100.0 * static_cast<double>(done_) / static_cast<double>(total_), rate, unit_,
             left);
  std::fflush(stderr);
}

void Progress::finish() {
  if (visible_) {
    fmt::print(stderr, "\r\033[K");
    std::fflush(stderr);
  }
}

}  // namespace nibblecore::tb
