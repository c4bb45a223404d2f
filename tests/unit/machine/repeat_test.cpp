// SPDX-License-Identifier: Apache-2.0
#include "model/machine/repeat.hpp"

#include <cstdint>

#include <gtest/gtest.h>

namespace nibblecore {
namespace {

/// Walks a cycle of `period` places behind a tail of `tail`, and sums the squares of the places.
struct Walk {
  int64_t tail;
  int64_t period;
  int64_t place = 0;
  int64_t sum = 0;
  int64_t* steps;

  void step() {
    ++*steps;
    sum += place * place + 1;
    ++place;
    if (place == tail + period) {
      place = tail;
    }
  }
  bool continues_like(const Walk& earlier) const { return place == earlier.place; }
  void add_periods(const Walk& earlier, int64_t periods) { sum += (sum - earlier.sum) * periods; }
};

TEST(Repeat, EqualsEverySingleStep) {
  for (int64_t tail = 0; tail < 12; ++tail) {
    for (int64_t period = 1; period < 10; ++period) {
      for (int64_t times = 0; times < 70; ++times) {
        int64_t steps = 0;
        Walk repeated{tail, period, 0, 0, &steps};
        repeat(repeated, times, [](Walk& walk) { walk.step(); });
        Walk plain{tail, period, 0, 0, &steps};
        for (int64_t i = 0; i < times; ++i) {
          plain.step();
        }
        ASSERT_EQ(repeated.sum, plain.sum) << tail << " " << period << " " << times;
        ASSERT_EQ(repeated.place, plain.place) << tail << " " << period << " " << times;
      }
    }
  }
}

TEST(Repeat, TakesNoMoreStepsForMoreTimes) {
  constexpr int64_t kTail = 20;
  constexpr int64_t kPeriod = 7;
  for (const int64_t times : {int64_t{1000}, int64_t{1'000'000}, int64_t{1'000'000'000'000}}) {
    int64_t steps = 0;
    Walk walk{kTail, kPeriod, 0, 0, &steps};
    repeat(walk, times, [](Walk& w) { w.step(); });
    // Found behind the mark after the tail, and less than a period over.
    EXPECT_LE(steps, 2 * kTail + 3 * kPeriod) << times;
  }
}

TEST(Repeat, RunsPlainlyWithoutAPeriod) {
  int64_t steps = 0;
  Walk walk{int64_t{1} << 40, 1, 0, 0, &steps};
  repeat(walk, 5000, [](Walk& w) { w.step(); });
  EXPECT_EQ(steps, 5000);
  EXPECT_EQ(walk.place, 5000);
}

}  // namespace
}  // namespace nibblecore
