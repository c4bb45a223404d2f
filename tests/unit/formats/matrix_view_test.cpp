// SPDX-License-Identifier: Apache-2.0
#include "model/formats/matrix_view.hpp"

#include <cstring>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model/common/bits.hpp"

namespace nibblecore {
namespace {

using testing::ElementsAre;

std::vector<float> row_of(const MatrixView& view, int64_t row) {
  std::vector<float> values(static_cast<size_t>(view.k));
  load_row(view, row, values.data());
  return values;
}

TEST(MatrixView, RowMajorAndItsTranspose) {
  const float data[] = {1, 2, 3, 4, 5, 6};
  EXPECT_THAT(row_of(row_major_view(data, 2, 3), 1), ElementsAre(4, 5, 6));
  const MatrixView transposed{data, ValueType::kF32, 3, 2, 1, 3};
  EXPECT_THAT(row_of(transposed, 2), ElementsAre(3, 6));
}

TEST(MatrixView, ReadsBf16FromAnyAddress) {
  const uint16_t codes[] = {0x3F80, 0xC000, 0x0001};
  std::vector<unsigned char> bytes(7);
  std::memcpy(bytes.data() + 1, codes, sizeof codes);
  const MatrixView view{bytes.data() + 1, ValueType::kBf16, 1, 3, 3, 1};
  EXPECT_THAT(row_of(view, 0), ElementsAre(1.0F, -2.0F, 0x1p-133F));
}

TEST(MatrixView, KeepsNanPayloads) {
  const float data[] = {bits_float(0xFFC12345)};
  EXPECT_EQ(float_bits(row_of(row_major_view(data, 1, 1), 0)[0]), 0xFFC12345U);
}

}  // namespace
}  // namespace nibblecore
