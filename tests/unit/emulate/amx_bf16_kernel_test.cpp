// SPDX-License-Identifier: Apache-2.0
#include "model/emulate/amx_bf16_kernel.hpp"

#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "model/common/bits.hpp"
#include "model/common/checked.hpp"
#include "model/emulate/aligned_buffer.hpp"
#include "model/emulate/bf16_expander.hpp"
#include "model/emulate/emulator_target.hpp"
#include "model/emulate/tile_shape.hpp"
#include "tests/support/random_matrix.hpp"
#include "tests/unit/emulate/gemm_definition.hpp"

namespace nibblecore {
namespace {

constexpr int64_t kUnits = 3;
constexpr int64_t kRows = kUnits * kBf16TileRows;

std::vector<uint32_t> random_numbers(std::mt19937& random) {
  std::vector<uint32_t> numbers(static_cast<size_t>(kRows * kStripColumns));
  for (uint32_t& number : numbers) {
    number = float_bits(static_cast<float>(static_cast<int>(random() % 4001) - 2000) / 3);
  }
  return numbers;
}

TEST(AmxBf16Kernel, AddsBlocksInOrderRoundingOnceEach) {
  // There is nothing to test without: other targets never come here.
  if (!is_available(EmulatorTarget::kAmx)) {
    GTEST_SKIP() << "this processor has no tile unit";
  }
  std::mt19937 random(9);
  for (const BlockFormat& format : {kMxfp4, kNvfp4}) {
    for (const int64_t count : {1, 2, 3, 4, 7, 8}) {
      SCOPED_TRACE(testing::Message() << format.name << ", " << count << " blocks");
      const int64_t k = count * format.block;
      const PackedMatrix a = test::random_matrix(format, kRows, k, random);
      const PackedMatrix b = test::random_matrix(format, kStripColumns, k, random);
      Bf16Blocks left;
      Bf16Blocks right;
      for (int64_t i = 0; i < count; ++i) {
        left.blocks[static_cast<size_t>(i)] = {&a, i};
        right.blocks[static_cast<size_t>(i)] = {&b, i};
      }
      left.count = right.count = count;
      const int64_t tiles = ceil_divide(k, kBf16TileElements * kBf16TilesOfTurn) * kBf16TilesOfTurn;
      AlignedBuffer<uint16_t> left_elements((kUnits * tiles + kBf16TilesOfTurn) * kBf16TileSize);
      AlignedBuffer<uint16_t> right_elements(2 * tiles * kBf16TileSize);
      for (int64_t unit = 0; unit < kUnits; ++unit) {
        expand_left(left, unit * kBf16TileRows, tiles,
                    left_elements.data() + unit * tiles * kBf16TileSize);
      }
      for (int64_t half = 0; half < 2; ++half) {
        expand_right(right, half * kBf16TileRows, tiles,
                     right_elements.data() + half * tiles * kBf16TileSize);
      }
      const std::vector<uint32_t> starts = random_numbers(random);
      AlignedBuffer<float> sums(kRows * kStripColumns);
      for (size_t i = 0; i < starts.size(); ++i) {
        sums.data()[i] = bits_float(starts[i]);
      }
      add_bf16_strip({left_elements.data(), right_elements.data(), kUnits, tiles, format.block},
                     sums.data());
      const std::vector<uint32_t> expected = gemm_by_definition(a, b, starts);
      for (size_t i = 0; i < starts.size(); ++i) {
        ASSERT_EQ(float_bits(sums.data()[i]), expected[i]) << "output " << i;
      }
    }
  }
}

}  // namespace
}  // namespace nibblecore
