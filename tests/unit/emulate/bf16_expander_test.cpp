// SPDX-License-Identifier: Apache-2.0
#include "model/emulate/bf16_expander.hpp"

#include <functional>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "model/common/bits.hpp"
#include "model/emulate/aligned_buffer.hpp"
#include "model/emulate/emulator_target.hpp"
#include "model/formats/dequantize.hpp"
#include "tests/support/random_matrix.hpp"

namespace nibblecore {
namespace {

constexpr int64_t kRows = 37;  // two whole tiles and five rows
constexpr int64_t kK = 192;

std::vector<BlockFormat> formats() {
  return {kMxfp4, kNvfp4, make_block_format("mxfp4", 16, "ue8m0"),
          make_block_format("mxfp4", 32, "ue4m3")};
}

float number_of(uint16_t bits) { return bits_float(static_cast<uint32_t>(bits) << 16); }

/// Blocks of two matrices in turns, and what they are.
class Bf16Expander : public testing::Test {
 protected:
  void SetUp() override {
    // There is nothing to test without: other targets never come here.
    if (!is_available(EmulatorTarget::kAmx)) {
      GTEST_SKIP() << "this processor has no tile unit";
    }
  }

  void make(const BlockFormat& format, int64_t count) {
    std::mt19937 random(3);
    one = test::random_matrix(format, kRows, kK, random);
    other = test::random_matrix(format, kRows, kK, random);
    blocks = {};
    for (int64_t i = 0; i < count; ++i) {
      blocks.blocks[static_cast<size_t>(i)] = {i % 2 == 0 ? &one : &other, (i + 1) / 2};
    }
    blocks.count = count;
  }

  /// Element `k` of row `row` along the blocks; zero beyond them and past the last row.
  float expected(int64_t row, int64_t k) const {
    const int64_t length = one.format.block;
    if (row >= kRows || k / length >= blocks.count) {
      return 0.0F;
    }
    const auto [matrix, index] = blocks.blocks[static_cast<size_t>(k / length)];
    return (matrix == &one
                ? one_values
                : other_values)[static_cast<size_t>(row * kK + index * length + k % length)];
  }

  /// Compares tiles of every first row with what `place` says of row and k within a tile.
  template <class Expand>
  void expect_tiles(const Expand& expand, const std::function<int64_t(int64_t, int64_t)>& place) {
    for (const BlockFormat& format : formats()) {
      for (const int64_t count : {1, 2, 3, 5, 7}) {
        make(format, count);
        one_values = values_of(one);
        other_values = values_of(other);
        for (const int64_t first : {0, 16, 32, 48}) {
          SCOPED_TRACE(testing::Message()
                       << scale_name(format.scale) << " blocks of " << format.block << ", " << count
                       << " from row " << first);
          AlignedBuffer<uint16_t> elements(kBf16Tiles * kBf16TileSize);
          std::fill_n(elements.data(), kBf16Tiles * kBf16TileSize, uint16_t{0x4142});
          expand(blocks, first, kBf16Tiles, elements.data());
          for (int64_t row = 0; row < kBf16TileRows; ++row) {
            for (int64_t k = 0; k < kBf16Tiles * kBf16TileElements; ++k) {
              const int64_t at =
                  k / kBf16TileElements * kBf16TileSize + place(row, k % kBf16TileElements);
              ASSERT_EQ(number_of(elements.data()[at]), expected(first + row, k))
                  << "row " << row << ", k " << k;
            }
          }
        }
      }
    }
  }

  static std::vector<float> values_of(const PackedMatrix& matrix) {
    std::vector<float> values(static_cast<size_t>(kRows * kK));
    dequantize(matrix, values.data());
    return values;
  }

  PackedMatrix one;
  PackedMatrix other;
  std::vector<float> one_values;
  std::vector<float> other_values;
  Bf16Blocks blocks;
};

TEST_F(Bf16Expander, LeftTilesHoldRowsOfElementsTimesScales) {
  expect_tiles(expand_left, [](int64_t row, int64_t k) { return row * kBf16TileElements + k; });
}

TEST_F(Bf16Expander, RightTilesHoldPairsOfElementsOfEveryColumn) {
  expect_tiles(expand_right,
               [](int64_t row, int64_t k) { return k / 2 * kBf16TileElements + row * 2 + k % 2; });
}

}  // namespace
}  // namespace nibblecore
