// SPDX-License-Identifier: Apache-2.0
#include "model/emulate/memory_pool.hpp"

#include <cstring>

#include <gtest/gtest.h>

#include "model/common/error.hpp"

namespace nibblecore {
namespace {

constexpr int64_t kMebi = int64_t{1} << 20;

TEST(MemoryPool, GivesTheSameMemoryAgain) {
  MemoryPool pool(16 * kMebi);
  const PooledMemory first = pool.take(3 * kMebi);
  ASSERT_GE(first.bytes, 3 * kMebi);
  EXPECT_EQ(reinterpret_cast<uintptr_t>(first.begin) % 64, 0U);
  std::memset(first.begin, 1, static_cast<size_t>(first.bytes));
  pool.give_back(first);
  EXPECT_EQ(pool.unused_bytes(), first.bytes);
  const PooledMemory again = pool.take(3 * kMebi);
  EXPECT_EQ(again.begin, first.begin);
  EXPECT_EQ(pool.unused_bytes(), 0);
  const PooledMemory other = pool.take(3 * kMebi);
  EXPECT_NE(other.begin, again.begin);
  pool.give_back(again);
  pool.give_back(other);
}

TEST(MemoryPool, KeepsNoMoreThanItsBoundAndNothingSmall) {
  MemoryPool pool(5 * kMebi);
  const PooledMemory first = pool.take(4 * kMebi);
  const PooledMemory second = pool.take(4 * kMebi);
  pool.give_back(first);
  pool.give_back(second);
  EXPECT_EQ(pool.unused_bytes(), first.bytes);
  const PooledMemory small = pool.take(100);
  pool.give_back(small);
  EXPECT_EQ(pool.unused_bytes(), first.bytes);
}

TEST(MemoryPool, TakesThePieceThatWastesLeast) {
  MemoryPool pool(64 * kMebi);
  const PooledMemory large = pool.take(8 * kMebi);
  const PooledMemory fitting = pool.take(4 * kMebi);
  pool.give_back(large);
  pool.give_back(fitting);
  const PooledMemory taken = pool.take(4 * kMebi);
  EXPECT_EQ(taken.begin, fitting.begin);
  const PooledMemory little = pool.take(kMebi);  // a piece of 8 MiB would be waste
  EXPECT_NE(little.begin, large.begin);
  pool.give_back(taken);
  pool.give_back(little);
}

TEST(MemoryPool, RefusesSizesThatDoNotFit64Bits) {
  MemoryPool pool(kMebi);
  EXPECT_THROW(pool.take(INT64_MAX), InputError);
}

}  // namespace
}  // namespace nibblecore
