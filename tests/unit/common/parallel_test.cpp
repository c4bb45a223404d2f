// SPDX-License-Identifier: Apache-2.0
#include "model/common/parallel.hpp"

#include <atomic>
#include <mutex>
#include <set>
#include <stdexcept>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

namespace nibblecore {
namespace {

constexpr int64_t kCounts[] = {1, 7, 8, 9, 1000};
constexpr int64_t kGrains[] = {1, 3, 8, 5000};
constexpr int kThreads[] = {0, 1, 2, 5};

template <class Test>
void for_each_setting(const Test& test) {
  for (const int64_t count : kCounts) {
    for (const int64_t grain : kGrains) {
      for (const int threads : kThreads) {
        SCOPED_TRACE(testing::Message() << count << " by " << grain << " on " << threads);
        test(count, grain, threads);
      }
    }
  }
}

TEST(ParallelFor, VisitsEveryIndexOnce) {
  for_each_setting([](int64_t count, int64_t grain, int threads) {
    std::vector<std::atomic<int>> visits(static_cast<size_t>(count));
    parallel_for(count, grain, threads, [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) {
        ++visits[static_cast<size_t>(i)];
      }
    });
    for (const std::atomic<int>& visit : visits) {
      EXPECT_EQ(visit, 1);
    }
  });
}

TEST(ParallelFor, PiecesBeginAndEndOnTheGrain) {
  for_each_setting([](int64_t count, int64_t grain, int threads) {
    std::atomic<int> wrong{0};
    parallel_for(count, grain, threads, [&](int64_t begin, int64_t end) {
      wrong += begin % grain != 0 || begin >= end || (end % grain != 0 && end != count) ? 1 : 0;
    });
    EXPECT_EQ(wrong, 0);
  });
}

TEST(ParallelFor, DoesNothingForNothing) {
  parallel_for(0, 4, 2, [](int64_t, int64_t) { FAIL(); });
}

TEST(ParallelFor, UsesNoMoreThreadsThanAsked) {
  std::mutex mutex;
  std::set<std::thread::id> seen;
  parallel_for(1000, 1, 3, [&](int64_t, int64_t) {
    const std::lock_guard<std::mutex> lock(mutex);
    seen.insert(std::this_thread::get_id());
  });
  EXPECT_LE(seen.size(), 3U);
  seen.clear();
  parallel_for(1000, 1, 1, [&](int64_t, int64_t) { seen.insert(std::this_thread::get_id()); });
  EXPECT_EQ(seen, std::set<std::thread::id>{std::this_thread::get_id()});
}

TEST(ParallelFor, ThrowsWhatAPieceThrew) {
  for (const int threads : {1, 2, 5}) {
    for (const int64_t bad : {0, 57, 99}) {
      const auto body = [&](int64_t begin, int64_t end) {
        if (begin <= bad && bad < end) {
          throw std::out_of_range("piece " + std::to_string(bad));
        }
      };
      try {
        parallel_for(100, 1, threads, body);
        FAIL() << "nothing thrown on " << threads << " threads";
      } catch (const std::out_of_range& error) {
        EXPECT_EQ(error.what(), "piece " + std::to_string(bad));
      }
    }
  }
}

TEST(ParallelFor, ThrowsOneErrorWhenEveryPieceFails) {
  EXPECT_THROW(parallel_for(100, 1, 4, [](int64_t, int64_t) { throw std::runtime_error("all"); }),
               std::runtime_error);
}

}  // namespace
}  // namespace nibblecore
