// SPDX-License-Identifier: Apache-2.0
#include "hw/units/region_memory.hpp"

#include <algorithm>
#include <numeric>

#include <gtest/gtest.h>

namespace nibblecore::hw {
namespace {

constexpr CoreDescription kCore{3, 5, 64};
const GemmSpec kSpec{6, 15, 64, kMxfp4};

ChunkBody region(int64_t rows, int64_t columns) {
  ChunkBody body{};
  body.rows = rows;
  body.columns = columns;
  body.row_tiles = (rows + kCore.rows - 1) / kCore.rows;
  body.column_tiles = (columns + kCore.columns - 1) / kCore.columns;
  return body;
}

std::vector<uint32_t> counted(int64_t count, uint32_t first) {
  std::vector<uint32_t> values(static_cast<size_t>(count));
  std::iota(values.begin(), values.end(), first);
  return values;
}

TEST(RegionMemoryTest, ValuesLieInTheirTilesRowByRow) {
  RegionMemory memory(kCore);
  memory.start(6, kSpec);
  const ChunkBody body = region(6, 12);  // 2 x 3 tiles, the last column of tiles is 2 wide
  const std::vector<uint32_t> values = counted(int64_t{6} * 12, 1);
  memory.fill(0, body, values.data());
  const int padded = padded_lanes(kCore.columns);
  EXPECT_EQ(memory.tile_values(), static_cast<size_t>(kCore.rows * padded));
  EXPECT_EQ(memory.tile(0, 0)[0], 1U);
  EXPECT_EQ(memory.tile(0, 0)[padded + 4], 12U + 5U) << "row 1, column 4";
  EXPECT_EQ(memory.tile(0, 2)[1], 12U) << "row 0, column 11";
  EXPECT_EQ(memory.tile(0, 3)[0], 3U * 12 + 1) << "row 3, column 0";
  EXPECT_EQ(memory.tile(0, 5)[2 * padded + 1], 6U * 12) << "row 5, column 11";
}

TEST(RegionMemoryTest, HalvesAreApartAndRegionsComeBackWhole) {
  RegionMemory memory(kCore);
  memory.start(6, kSpec);
  const ChunkBody large = region(5, 14);
  const ChunkBody small = region(2, 6);
  const std::vector<uint32_t> first = counted(int64_t{5} * 14, 100);
  const std::vector<uint32_t> second = counted(int64_t{2} * 6, 900);
  memory.fill(0, large, first.data());
  memory.fill(1, small, second.data());
  std::vector<uint32_t> read(first.size());
  memory.read(0, large, read.data());
  EXPECT_EQ(read, first);
  read.resize(second.size());
  memory.read(1, small, read.data());
  EXPECT_EQ(read, second);
}

TEST(RegionMemoryTest, AResidualsAccumulatorsLieBesideTheOthers) {
  RegionMemory memory(kCore);
  GemmSpec spec = kSpec;
  spec.residual_accumulator = ResidualAccumulator::kOwn;
  memory.start(6, spec);
  const ChunkBody body = region(5, 14);
  const std::vector<uint32_t> values = counted(int64_t{5} * 14, 1);
  memory.fill(1, body, values.data());
  const AccumulatorPlane plane = AccumulatorPlane::kResidual;
  memory.tile(1, 5, plane)[2] = 77;  // row 3, column 12
  memory.tile(0, 5, plane)[2] = 78;
  std::vector<uint32_t> read(values.size());
  memory.read(1, body, read.data(), plane);
  EXPECT_EQ(read[3 * 14 + 12], 77U);
  EXPECT_EQ(std::count(read.begin(), read.end(), 0U), 5 * 14 - 1);
  memory.read(1, body, read.data());
  EXPECT_EQ(read, values);
}

}  // namespace
}  // namespace nibblecore::hw
