// SPDX-License-Identifier: Apache-2.0
#include "model/trace/operand_view.hpp"

#include <optional>
#include <vector>

#include "model/common/error.hpp"

namespace nibblecore {
namespace {

std::optional<ValueType> value_type(DType dtype) {
  switch (dtype) {
    case DType::kF32:
      return ValueType::kF32;
    case DType::kBf16:
      return ValueType::kBf16;
    default:
      return std::nullopt;
  }
}

void require_shape(const GemmRecord& record, const std::vector<int64_t>& expected,
                   const Tensor& tensor, const std::string& place) {
  if (record.batch == 1 && tensor.shape == expected) {
    return;
  }
  std::vector<int64_t> batched = expected;
  batched.insert(batched.begin(), record.batch);
  if (tensor.shape != batched) {
    throw InputError(place, "expected shape " + shape_text(record.batch == 1 ? expected : batched) +
                                ", found " + shape_text(tensor.shape));
  }
}

}  // namespace

MatrixView operand_view(const GemmRecord& record, OperandSide side, int64_t batch_index,
                        const Tensor& tensor, const std::string& place) {
  if (batch_index < 0 || batch_index >= record.batch) {
    throw InternalError(place + ": batch index " + std::to_string(batch_index) + " of " +
                        std::to_string(record.batch));
  }
  const std::optional<ValueType> type = value_type(tensor.dtype);
  if (!type) {
    throw InputError(place, "is " + std::string(name_of(tensor.dtype)) + ", not F32 or BF16");
  }
  const bool is_a = side == OperandSide::kA;
  const int64_t rows = is_a ? record.m : record.n;
  // Stored [rows, k]: A as it is, B transposed.
  const bool k_is_last =
      (is_a ? record.transpose_a : record.transpose_b) == (is_a ? Transpose::kNo : Transpose::kYes);
  require_shape(record, k_is_last ? std::vector{rows, record.k} : std::vector{record.k, rows},
                tensor, place);
  const int64_t matrix_bytes = tensor.bytes / record.batch;
  return {tensor.data + batch_index * matrix_bytes,
          *type,
          rows,
          record.k,
          k_is_last ? record.k : 1,
          k_is_last ? 1 : rows};
}

}  // namespace nibblecore
