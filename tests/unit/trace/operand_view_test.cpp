// SPDX-License-Identifier: Apache-2.0
#include "model/trace/operand_view.hpp"

#include <array>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model/common/error.hpp"
#include "tests/support/input_error.hpp"

namespace nibblecore {
namespace {

using testing::AllOf;
using testing::HasSubstr;

/// M 2, N 4, K 3, two products.
GemmRecord two_products() {
  GemmRecord record;
  record.m = 2;
  record.n = 4;
  record.k = 3;
  record.batch = 2;
  return record;
}

Tensor tensor_of(DType dtype, const std::vector<int64_t>& shape) {
  static const std::array<std::byte, 256> bytes{};
  return {"t", dtype, shape, bytes.data(), tensor_bytes(dtype, shape, "")};
}

TEST(OperandView, FindsAProductInItsBatchAndLiesAlongK) {
  GemmRecord record = two_products();
  const Tensor a = tensor_of(DType::kF32, {2, 2, 3});
  const MatrixView plain = operand_view(record, OperandSide::kA, 1, a, "here");
  EXPECT_EQ(plain.data, a.data + 24);
  EXPECT_EQ(plain.type, ValueType::kF32);
  EXPECT_EQ(plain.rows, 2);
  EXPECT_EQ(plain.k, 3);
  EXPECT_EQ(plain.row_stride, 3);
  EXPECT_EQ(plain.k_stride, 1);

  const Tensor b = tensor_of(DType::kBf16, {2, 3, 4});
  const MatrixView turned = operand_view(record, OperandSide::kB, 1, b, "here");
  EXPECT_EQ(turned.data, b.data + 24);
  EXPECT_EQ(turned.type, ValueType::kBf16);
  EXPECT_EQ(turned.rows, 4);
  EXPECT_EQ(turned.k, 3);
  EXPECT_EQ(turned.row_stride, 1);
  EXPECT_EQ(turned.k_stride, 4);
}

TEST(OperandView, RefusesWhatTheRecordDoesNotSay) {
  const GemmRecord record = two_products();
  EXPECT_THAT(input_error([&] {
                operand_view(record, OperandSide::kA, 0, tensor_of(DType::kF32, {2, 3}), "here");
              }),
              AllOf(HasSubstr("here"), HasSubstr("expected shape [2, 2, 3], found [2, 3]")));
  EXPECT_THAT(input_error([&] {
                operand_view(record, OperandSide::kB, 0, tensor_of(DType::kF16, {2, 3, 4}), "here");
              }),
              HasSubstr("is F16, not F32 or BF16"));
  EXPECT_THROW(operand_view(record, OperandSide::kA, 2, tensor_of(DType::kF32, {2, 2, 3}), "here"),
               InternalError);
}

}  // namespace
}  // namespace nibblecore
