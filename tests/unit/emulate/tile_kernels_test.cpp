// SPDX-License-Identifier: Apache-2.0
#include "model/emulate/tile_kernels.hpp"

#include <algorithm>
#include <cmath>
#include <random>

#include <gtest/gtest.h>

#include "model/emulate/aligned_buffer.hpp"
#include "model/emulate/code_expander.hpp"
#include "tests/unit/emulate/on_every_target.hpp"

namespace nibblecore {
namespace {

/// Random blocks of a tile in the form of some kernels.
struct RandomTile {
  AlignedBuffer<uint8_t> a;
  AlignedBuffer<float> a_scales;
  AlignedBuffer<int8_t> b;
  AlignedBuffer<float> b_scales;
  AlignedBuffer<int32_t> b_start;
  TileBlocks blocks{};
  int bias;
  int largest;

  RandomTile(int length, int rows, int64_t count, ElementForm form, bool only_largest)
      : a(count * kPanelRows * length),
        a_scales(count * kPanelRows),
        b(count * kStripColumns * length),
        b_scales(count * kStripColumns),
        b_start(count * kStripColumns),
        bias(0),
        largest(length == 64 ? 28 : 12) {
    bias = form == ElementForm::kBiased ? largest : 0;
    blocks = {a.data(), a_scales.data(), b.data(), b_scales.data(), b_start.data(),
              count,    length,          rows,     nullptr,         0};
    std::mt19937 random(static_cast<unsigned int>(length));
    const auto element = [&] {
      const int sign = random() % 2 == 0 ? 1 : -1;
      return only_largest
                 ? sign * largest
                 : static_cast<int>(random() % static_cast<unsigned int>(2 * largest + 1)) -
                       largest;
    };
    for (int64_t i = 0; i < count * kPanelRows * length; ++i) {
      a.data()[i] = static_cast<uint8_t>(element() + bias);
    }
    for (int64_t i = 0; i < count * kStripColumns * length; ++i) {
      b.data()[i] = static_cast<int8_t>(element());
    }
    for (int64_t i = 0; i < count * kPanelRows; ++i) {
      a_scales.data()[i] = std::ldexp(1.0F, static_cast<int>(random() % 30) - 15);
    }
    for (int64_t i = 0; i < count * kStripColumns; ++i) {
      b_scales.data()[i] = std::ldexp(1.0F, static_cast<int>(random() % 30) - 15);
      int32_t sum = 0;
      for (int k = 0; k < length; ++k) {
        sum += b_element(i / kStripColumns, i % kStripColumns, k);
      }
      b_start.data()[i] = -bias * sum;
    }
  }

  int b_element(int64_t block, int64_t column, int k) const {
    return b.data()[(block * blocks.length + k / 4 * 4) * kStripColumns + column * 4 + k % 4];
  }

  int a_element(int64_t block, int64_t row, int k) const {
    const uint8_t byte = a.data()[(block * kPanelRows + row) * blocks.length + k];
    return bias != 0 ? byte - bias : static_cast<int8_t>(byte);
  }

  int32_t dot(int64_t block, int64_t row, int64_t column) const {
    int32_t sum = 0;
    for (int k = 0; k < blocks.length; ++k) {
      sum += a_element(block, row, k) * b_element(block, column, k);
    }
    return sum;
  }
};

class TileKernelsOfTarget : public testing::TestWithParam<EmulatorTarget> {
 protected:
  /// Calls body(tile, kernels) for every length and some numbers of rows.
  template <class Body>
  void for_each_tile(const Body& body) const {
    for (const int length : {16, 32, 64}) {
      const TileKernels& kernels = tile_kernels(GetParam(), length);
      for (const int rows : {1, 2, 3, 4, 6, 7, 16, 17, 31, 48}) {
        for (const bool only_largest : {false, true}) {
          SCOPED_TRACE(testing::Message() << rows << " rows of blocks of " << length);
          body(RandomTile(length, rows, 5, kernels.a_form, only_largest), kernels);
        }
      }
    }
  }
};

TEST_P(TileKernelsOfTarget, DotsAreExact) {
  for_each_tile([](const RandomTile& tile, const TileKernels& kernels) {
    AlignedBuffer<int32_t> dots(tile.blocks.blocks * static_cast<int64_t>(kTileOutputs));
    kernels.dots(tile.blocks, dots.data());
    for (int64_t block = 0; block < tile.blocks.blocks; ++block) {
      for (int64_t i = 0; i < int64_t{tile.blocks.rows} * kStripColumns; ++i) {
        ASSERT_EQ(dots.data()[block * static_cast<int64_t>(kTileOutputs) + i],
                  tile.dot(block, i / kStripColumns, i % kStripColumns))
            << "block " << block << ", output " << i;
      }
    }
  });
}

TEST_P(TileKernelsOfTarget, AddRoundsOnceABlock) {
  for_each_tile([](const RandomTile& tile, const TileKernels& kernels) {
    AlignedBuffer<float> sums(static_cast<int64_t>(kTileOutputs));
    for (size_t i = 0; i < kTileOutputs; ++i) {
      sums.data()[i] = static_cast<float>(i) - 700.3F;
    }
    kernels.add(tile.blocks, sums.data());
    for (int64_t i = 0; i < int64_t{tile.blocks.rows} * kStripColumns; ++i) {
      const int64_t row = i / kStripColumns;
      const int64_t column = i % kStripColumns;
      float expected = static_cast<float>(i) - 700.3F;
      for (int64_t block = 0; block < tile.blocks.blocks; ++block) {
        expected = std::fma(static_cast<float>(tile.dot(block, row, column)),
                            tile.a_scales.data()[block * kPanelRows + row] *
                                tile.b_scales.data()[block * kStripColumns + column],
                            expected);
      }
      ASSERT_EQ(sums.data()[i], expected) << "output " << i;
    }
  });
}

TEST_P(TileKernelsOfTarget, FetchingAheadChangesNothing) {
  const TileKernels& kernels = tile_kernels(GetParam(), 32);
  RandomTile tile(32, 48, 5, kernels.a_form, false);
  AlignedBuffer<float> plain(static_cast<int64_t>(kTileOutputs));
  AlignedBuffer<float> ahead(static_cast<int64_t>(kTileOutputs));
  std::fill_n(plain.data(), kTileOutputs, 0.0F);
  std::fill_n(ahead.data(), kTileOutputs, 0.0F);
  kernels.add(tile.blocks, plain.data());
  tile.blocks.ahead = tile.a.data();
  for (const int64_t bytes : {1, 64, 5000}) {
    tile.blocks.ahead_bytes = bytes;
    std::fill_n(ahead.data(), kTileOutputs, 0.0F);
    kernels.add(tile.blocks, ahead.data());
    EXPECT_TRUE(std::equal(plain.data(), plain.data() + kTileOutputs, ahead.data()));
  }
}

INSTANTIATE_TEST_SUITE_P(Here, TileKernelsOfTarget, testing::ValuesIn(test::available_targets()),
                         [](const testing::TestParamInfo<EmulatorTarget>& target) {
                           return std::string(name_of(target.param));
                         });

}  // namespace
}  // namespace nibblecore
