// SPDX-License-Identifier: Apache-2.0
#include "model/common/parallel.hpp"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

#include "model/common/checked.hpp"

namespace nibblecore {

int thread_count(int threads) {
  if (threads > 0) {
    return threads;
  }
  return std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

void parallel_for(int64_t count, int64_t grain, int threads,
                  const std::function<void(int64_t, int64_t)>& body) {
  if (count <= 0) {
    return;
  }
  const int64_t pieces = ceil_divide(count, grain);
  const int64_t workers = std::min<int64_t>(thread_count(threads), pieces);
  if (workers == 1) {
    body(0, count);
    return;
  }
  std::atomic<int64_t> next{0};
  std::exception_ptr failure;
  std::mutex failure_mutex;
  const auto work = [&] {
    try {
      for (int64_t piece = next++; piece < pieces; piece = next++) {
        body(piece * grain, std::min(count, (piece + 1) * grain));
      }
    } catch (...) {
      const std::lock_guard<std::mutex> lock(failure_mutex);
      failure = failure ? failure : std::current_exception();
    }
  };
  std::vector<std::thread> others;
  others.reserve(static_cast<size_t>(workers - 1));
  try {
    for (int64_t i = 1; i < workers; ++i) {
      others.emplace_back(work);
    }
  } catch (const std::system_error&) {
    // The system gives no more threads: those that run, and this one, do all the pieces.
  }
  work();
  for (std::thread& other : others) {
    other.join();
  }
  if (failure) {
    std::rethrow_exception(failure);
  }
}

}  // namespace nibblecore
