// SPDX-License-Identifier: Apache-2.0
#include "model/analysis/blocked_rows.hpp"

#include <numeric>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/trace/temporary_folder.hpp"

namespace nibblecore {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::vector<float> counting(size_t count) {
  std::vector<float> values(count);
  std::iota(values.begin(), values.end(), 0.0F);
  return values;
}

std::vector<float> loaded(const BlockedRows& tensor, int64_t first_row, int64_t rows,
                          int64_t first_k, int64_t k) {
  std::vector<float> values(static_cast<size_t>(rows * k), -1.0F);
  load_rows(tensor, first_row, rows, first_k, k, values.data());
  return values;
}

class BlockedRowsTest : public testing::Test {
 protected:
  BlockedRows along(int64_t axis, const std::vector<int64_t>& shape) {
    return blocked_rows(values_.data(), ValueType::kF32, shape, axis, "here");
  }
  std::vector<float> values_ = counting(24);
};

TEST_F(BlockedRowsTest, AlongEachAxisOfACube) {
  const BlockedRows last = along(-1, {2, 3, 4});
  EXPECT_EQ(last.rows(), 6);
  EXPECT_EQ(last.k(), 4);
  EXPECT_THAT(loaded(last, 4, 2, 1, 3), ElementsAre(17, 18, 19, 21, 22, 23));

  const BlockedRows middle = along(1, {2, 3, 4});
  EXPECT_EQ(middle.rows(), 8);
  EXPECT_EQ(middle.k(), 3);
  EXPECT_THAT(loaded(middle, 3, 2, 0, 3), ElementsAre(3, 7, 11, 12, 16, 20)) << "two slices";
  EXPECT_THAT(loaded(middle, 6, 2, 1, 2), ElementsAre(18, 22, 19, 23));

  const BlockedRows first = along(-3, {2, 3, 4});
  EXPECT_EQ(first.rows(), 12);
  EXPECT_EQ(first.k(), 2);
  EXPECT_THAT(loaded(first, 10, 2, 0, 2), ElementsAre(10, 22, 11, 23));
}

TEST_F(BlockedRowsTest, HoldsAllValuesAsOneMatrix) {
  for (const int64_t axis : {0, 1, 2}) {
    const BlockedRows rows = along(axis, {2, 3, 4});
    EXPECT_EQ(rows.all.rows * rows.all.k, 24);
    std::vector<float> last(static_cast<size_t>(rows.all.k));
    load_row(rows.all, rows.all.rows - 1, last.data());
    EXPECT_EQ(last.back(), 23);
  }
}

TEST_F(BlockedRowsTest, ScalarsVectorsAndEmptyTensors) {
  EXPECT_EQ(along(-1, {}).rows(), 1);
  EXPECT_EQ(along(0, {}).k(), 1);
  EXPECT_EQ(along(0, {24}).rows(), 1);
  EXPECT_EQ(along(0, {24}).k(), 24);
  EXPECT_EQ(along(0, {3, 0}).rows(), 0);
  EXPECT_EQ(along(1, {3, 0}).k(), 0);
}

TEST_F(BlockedRowsTest, StridedMatrix) {
  const MatrixView transposed{values_.data(), ValueType::kF32, 4, 6, 1, 4};
  EXPECT_THAT(loaded(blocked_rows(transposed), 1, 2, 2, 3), ElementsAre(9, 13, 17, 10, 14, 18));
}

TEST_F(BlockedRowsTest, Bf16) {
  const std::vector<uint16_t> bf16{0x3F80, 0x4000, 0x4040, 0x4080};  // 1 to 4
  const BlockedRows columns = blocked_rows(bf16.data(), ValueType::kBf16, {2, 2}, 0, "here");
  EXPECT_THAT(loaded(columns, 0, 2, 0, 2), ElementsAre(1, 3, 2, 4));
}

TEST_F(BlockedRowsTest, RefusesWhatIsNoAxis) {
  EXPECT_THAT(input_error([&] { along(3, {2, 3, 4}); }), HasSubstr("here: has no axis 3"));
  EXPECT_THAT(input_error([&] { along(-4, {2, 3, 4}); }), HasSubstr("has no axis -4"));
  EXPECT_THAT(input_error([&] { along(1, {}); }), HasSubstr("has no axis 1"));
}

TEST_F(BlockedRowsTest, RefusesSizesBeyond64Bits) {
  const int64_t large = int64_t{1} << 40;
  EXPECT_THAT(input_error([&] { along(1, {large, 0, large}); }), HasSubstr("64 bits"));
  EXPECT_THAT(input_error([&] { along(0, {large, large}); }), HasSubstr("64 bits"));
}

}  // namespace
}  // namespace nibblecore
