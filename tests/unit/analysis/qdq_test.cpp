// SPDX-License-Identifier: Apache-2.0
#include "model/analysis/qdq.hpp"

#include <cmath>
#include <limits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model/common/error.hpp"

namespace nibblecore {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

/// An MXFP4 matrix of these codes, row after row, every scale 1.
PackedMatrix mxfp4_of(int64_t rows, int64_t k, const std::vector<uint8_t>& codes) {
  PackedMatrix matrix = make_packed_matrix(kMxfp4, rows, k);
  for (int64_t row = 0; row < rows; ++row) {
    for (int64_t i = 0; i < k; ++i) {
      set_packed_code(matrix.row_codes(row), i, codes[static_cast<size_t>(row * k + i)]);
    }
    matrix.row_scales(row)[0] = 127;
  }
  return matrix;
}

TEST(QdqProduct, MultipliesByTheTransposeOfB) {
  const PackedMatrix a = mxfp4_of(2, 3, {1, 2, 3, 0xC, 5, 6});           // .5 1 1.5 / -2 3 4
  const PackedMatrix b = mxfp4_of(3, 3, {2, 0, 0, 0, 2, 4, 7, 0, 0xA});  // 1 0 0/0 1 2/6 0 -1
  EXPECT_THAT(qdq_product(a, b), ElementsAre(0.5F, 4.0F, 1.5F, -2.0F, 11.0F, -16.0F));
}

TEST(QdqProduct, AppliesBlockAndTensorScales) {
  PackedMatrix a = mxfp4_of(1, 1, {3});
  PackedMatrix b = mxfp4_of(1, 1, {7});
  a.scales[0] = 130;
  b.scales[0] = 126;
  b.tensor_scale = 0.25F;
  EXPECT_THAT(qdq_product(a, b), ElementsAre(9.0F));  // 12 * 3 / 4
}

TEST(QdqProduct, AppliesMacroScalesOfEitherOperand) {
  PackedMatrix a = make_packed_matrix(kMxfp4, 1, 64);  // 1 in each block
  for (const int64_t i : {0, 32}) {
    set_packed_code(a.row_codes(0), i, 2);
  }
  a.scales = {127, 127};
  const PackedMatrix b = a;
  const MacroScales a_macro{32, {0.5F, 4.0F}};
  const MacroScales b_macro{32, {8.0F, 0.25F}};
  EXPECT_THAT(qdq_product(a, b, &a_macro), ElementsAre(4.5F));
  EXPECT_THAT(qdq_product(a, b, nullptr, &b_macro), ElementsAre(8.25F));
  EXPECT_THAT(qdq_product(a, b, &a_macro, &b_macro), ElementsAre(5.0F));
}

TEST(QdqProduct, LetsNanAndInfinityThroughEvenWhenTheyMeetZero) {
  PackedMatrix a = make_packed_matrix(kMxfp4, 40, 70);
  PackedMatrix b = make_packed_matrix(kMxfp4, 33, 70);
  a.row_scales(17)[1] = 0xFF;
  b.row_scales(5)[2] = 254;
  set_packed_code(b.row_codes(5), 69, 7);  // 6 * 2^127: infinity
  const std::vector<float> product = qdq_product(a, b);
  for (size_t m = 0; m < 40; ++m) {
    for (size_t n = 0; n < 33; ++n) {
      EXPECT_EQ(std::isnan(product[m * 33 + n]), m == 17 || n == 5) << m << ", " << n;
    }
  }
}

TEST(ExactProduct, ReadsEitherOrderAndTypeOfOperands) {
  const float a[] = {1, 2, 3, 4, 5, 6};
  const uint16_t b[] = {0x3F80, 0xBF80, 0x4000, 0x3F00};        // 1 -1 / 2 0.5, BF16
  const MatrixView transposed{a, ValueType::kF32, 3, 2, 1, 3};  // 1 4 / 2 5 / 3 6
  const MatrixView bf16{b, ValueType::kBf16, 2, 2, 2, 1};
  EXPECT_THAT(exact_product(transposed, bf16), ElementsAre(-3.0, 4.0, -3.0, 6.5, -3.0, 9.0));
}

TEST(ExactProduct, KeepsWhatFp32WouldLose) {
  const float a[] = {16777216, 1};
  const float b[] = {16777216, 1};
  EXPECT_THAT(exact_product(row_major_view(a, 1, 2), row_major_view(b, 1, 2)),
              ElementsAre(281474976710657.0));
}

TEST(BlasProducts, AreZeroWithoutKAndEmptyWithoutRows) {
  EXPECT_THAT(qdq_product(make_packed_matrix(kMxfp4, 1, 0), make_packed_matrix(kMxfp4, 2, 0)),
              ElementsAre(0.0F, 0.0F));
  EXPECT_THAT(qdq_product(make_packed_matrix(kMxfp4, 0, 32), make_packed_matrix(kMxfp4, 2, 32)),
              IsEmpty());
  EXPECT_THAT(exact_product(row_major_view(nullptr, 2, 0), row_major_view(nullptr, 1, 0)),
              ElementsAre(0.0, 0.0));
}

TEST(BlasProducts, RefuseSizesThatBlasCannotTake) {
  const int64_t too_large = int64_t{std::numeric_limits<int>::max()} + 1;
  const PackedMatrix tall = make_packed_matrix(kMxfp4, too_large, 0);
  const PackedMatrix small = make_packed_matrix(kMxfp4, 1, 0);
  EXPECT_THROW(qdq_product(tall, small), InputError);
  EXPECT_THROW(qdq_product(small, tall), InputError);
  const MatrixView long_row = row_major_view(nullptr, 1, too_large);
  EXPECT_THROW(exact_product(long_row, long_row), InputError);
}

TEST(BlasProducts, RefuseDifferentK) {
  EXPECT_THROW(qdq_product(make_packed_matrix(kMxfp4, 1, 31), make_packed_matrix(kMxfp4, 1, 32)),
               InputError);
  EXPECT_THROW(exact_product(row_major_view(nullptr, 1, 1), row_major_view(nullptr, 1, 2)),
               InputError);
}

TEST(BlasIdentity, NamesLibraryAndKernel) {
  const BlasIdentity identity = blas_identity();
  EXPECT_THAT(identity.version, testing::StartsWith("OpenBLAS"));
  EXPECT_FALSE(identity.kernel.empty());
}

TEST(ProductParts, TakeRowsFromWhereTheyAreAsked) {
  PackedMatrix packed = mxfp4_of(4, 2, {1, 2, 3, 4, 5, 6, 7, 0xA});
  const MacroScales macro{32, {1, 2, 4, 8}};
  std::vector<float> decoded;
  dequantize_rows(packed, &macro, 1, 2, decoded);
  EXPECT_THAT(decoded, ElementsAre(3.0F, 4.0F, 12.0F, 16.0F));

  // More rows than are read at a time, in either order.
  constexpr int64_t kRows = 150;
  std::vector<float> values(kRows * 2);
  for (size_t i = 0; i < values.size(); ++i) {
    values[i] = static_cast<float>(i);
  }
  std::vector<double> rows;
  std::vector<double> columns;
  widen_rows(row_major_view(values.data(), kRows, 2), 3, 140, rows);
  widen_rows({values.data(), ValueType::kF32, kRows, 2, 1, kRows}, 3, 140, columns);
  ASSERT_EQ(rows.size(), 280);
  ASSERT_EQ(columns.size(), 280);
  for (size_t i = 0; i < rows.size(); ++i) {
    EXPECT_EQ(rows[i], static_cast<double>(i + 6));
    EXPECT_EQ(columns[i], static_cast<double>(i / 2 + 3 + i % 2 * kRows));
  }
}

TEST(ProductParts, KeepTheirBuffers) {
  std::vector<double> product(100, 7.0);
  blas_product({1, 2, 2}, std::vector<double>{1, 2}, std::vector<double>{3, 4, 5, 6}, product);
  EXPECT_THAT(product, ElementsAre(11.0, 17.0));
  std::vector<float> of_nothing{7.0F};
  blas_product({1, 1, 0}, std::vector<float>{}, std::vector<float>{}, of_nothing);
  EXPECT_THAT(of_nothing, ElementsAre(0.0F));
}

}  // namespace
}  // namespace nibblecore
