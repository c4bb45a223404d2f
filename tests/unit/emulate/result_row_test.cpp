// SPDX-License-Identifier: Apache-2.0
#include "model/emulate/result_row.hpp"

#include <limits>
#include <vector>

#include <gtest/gtest.h>

#include "model/common/bits.hpp"
#include "model/emulate/aligned_buffer.hpp"

namespace nibblecore {
namespace {

// Rows of two tiles, the second 40 accumulators behind the first.
std::vector<uint32_t> finished(const std::vector<float>& accumulators, float alpha, uint32_t nan,
                               EmulatorTarget target) {
  std::vector<uint32_t> results(2 * kStripColumns);
  finish_results({accumulators.data(), 40, 2, alpha, nan}, target, results.data());
  return results;
}

TEST(ResultRow, MultipliesByAlphaAndNamesEveryNan) {
  std::vector<float> accumulators(40 + kStripColumns, 1.5F);
  accumulators[3] = std::numeric_limits<float>::quiet_NaN();
  accumulators[4] = std::numeric_limits<float>::infinity();
  accumulators[5] = -0.0F;
  accumulators[40 + 31] = 3.0F;
  for (const EmulatorTargetRecord& record : kEmulatorTargets) {
    if (!is_available(record.target)) {
      continue;
    }
    const std::vector<uint32_t> same = finished(accumulators, 1.0F, 0x7FFFFFFF, record.target);
    EXPECT_EQ(same[0], float_bits(1.5F)) << record.name;
    EXPECT_EQ(same[3], 0x7FFFFFFFU) << record.name;
    EXPECT_EQ(same[4], 0x7F800000U) << record.name;
    EXPECT_EQ(same[5], 0x80000000U) << record.name;
    EXPECT_EQ(same[kStripColumns], float_bits(1.5F)) << record.name;
    EXPECT_EQ(same[2 * kStripColumns - 1], float_bits(3.0F)) << record.name;
    const std::vector<uint32_t> none = finished(accumulators, 0.0F, 0x7FC00000, record.target);
    EXPECT_EQ(none[0], 0U) << record.name;
    EXPECT_EQ(none[4], 0x7FC00000U) << record.name;
  }
}

TEST(ResultRow, BothKindsOfStoreWriteTheSame) {
  for (const StoreKind kind : {StoreKind::kCached, StoreKind::kStreaming}) {
    for (const int64_t count : {1, 15, 16, 31, 32, 47, 100}) {
      for (const int64_t offset : {0, 1, 4, 15, 16}) {
        std::vector<uint32_t> results(static_cast<size_t>(count));
        for (size_t i = 0; i < results.size(); ++i) {
          results[i] = 1000 + static_cast<uint32_t>(i);
        }
        AlignedBuffer<uint32_t> memory(128);
        std::fill_n(memory.data(), 128, 7U);
        store_results(results.data(), count, kind, memory.data() + offset);
        finish_stores();
        for (int64_t i = 0; i < 128; ++i) {
          const bool is_inside = i >= offset && i < offset + count;
          EXPECT_EQ(memory.data()[i], is_inside ? static_cast<uint32_t>(1000 + i - offset) : 7U);
        }
      }
    }
  }
}

TEST(ResultRow, ResultsBeyondTheCachesAreStreamed) {
  EXPECT_EQ(store_kind_of(1024), StoreKind::kCached);
  EXPECT_EQ(store_kind_of(int64_t{2048} * 2048), StoreKind::kStreaming);
}

}  // namespace
}  // namespace nibblecore
