// SPDX-License-Identifier: Apache-2.0
#include "model/fill/operand_source.hpp"

#include <cstring>
#include <tuple>

#include "model/common/checked.hpp"
#include "model/common/error.hpp"
#include "model/common/parallel.hpp"
#include "model/common/physical_memory.hpp"
#include "model/fill/layer_tensor.hpp"
#include "model/formats/bf16.hpp"
#include "model/synthetic/synthetic_tensor.hpp"

namespace nibblecore {
namespace {

GemmRecord with_filled_operands(GemmRecord record) {
  std::tie(record.transpose_a, record.transpose_b) = usual_transposes(record.kind);
  record.a = TensorRef{{}, tensor_identity(record, OperandSide::kA)};
  record.b = TensorRef{{}, tensor_identity(record, OperandSide::kB)};
  return record;
}

int64_t bytes_of(ValueType type) { return type == ValueType::kBf16 ? 2 : 4; }

/// One product's part of a synthetic tensor, [rows, columns] of `type`.
std::vector<std::byte> product_values(const SyntheticTensor& tensor, const StoredShape& shape,
                                      int64_t batch_index, ValueType type, int threads) {
  const int64_t row_bytes = shape.columns * bytes_of(type);
  std::vector<std::byte> bytes(static_cast<size_t>(shape.rows * row_bytes));
  parallel_for(shape.rows, 1, threads, [&](int64_t begin, int64_t end) {
    std::vector<float> values(static_cast<size_t>(shape.columns));
    std::vector<uint16_t> rounded(type == ValueType::kBf16 ? values.size() : 0);
    for (int64_t row = begin; row < end; ++row) {
      tensor.fill_row(batch_index * shape.rows + row, values.data());
      for (size_t i = 0; i < rounded.size(); ++i) {
        rounded[i] = bf16_from_fp32(float_bits(values[i]));
      }
      std::memcpy(bytes.data() + row * row_bytes,
                  rounded.empty() ? static_cast<const void*>(values.data()) : rounded.data(),
                  static_cast<size_t>(row_bytes));
    }
  });
  return bytes;
}

}  // namespace

OperandSource::OperandSource(const Trace& trace, const std::optional<Fill>& fill, uint64_t seed,
                             int threads)
    : trace_(trace), fill_(fill), seed_(seed), threads_(threads) {
  if (!fill_) {
    return;
  }
  filled_.reserve(trace.records().size());
  for (const GemmRecord& record : trace.records()) {
    filled_.push_back(record.has_operands() ? record : with_filled_operands(record));
  }
}

std::pair<ValueType, ValueType> OperandSource::types(const GemmRecord& record) const {
  if (record.is_filled()) {
    return {fill_->type, fill_->type};
  }
  const Operands operands = trace_.operands(record);
  return {operands.a.type, operands.b.type};
}

void OperandSource::require_room(const GemmRecord& record, const std::string& place) const {
  if (!record.is_filled()) {
    return;
  }
  const int64_t values = checked_multiply(checked_add(record.m, record.n, place), record.k, place);
  const int64_t results = checked_multiply(record.m, record.n, place);
  const int64_t bytes =
      checked_add(checked_multiply(values, bytes_of(fill_->type), place),
                  checked_multiply(results, int64_t{sizeof(float)}, place), place);
  const int64_t memory = physical_memory_bytes();
  if (bytes > memory) {
    throw InputError(place, "synthetic operands and results of one product take " +
                                std::to_string(bytes) + " bytes; this machine has " +
                                std::to_string(memory));
  }
}

HeldOperands OperandSource::operands(const GemmRecord& record, int64_t batch_index) const {
  if (!record.is_filled()) {
    return {trace_.operands(record, batch_index), {}, {}};
  }
  if (batch_index < 0 || batch_index >= record.batch) {
    throw InternalError("batch index " + std::to_string(batch_index) + " of " +
                        std::to_string(record.batch));
  }
  GemmRecord product = record;
  product.batch = 1;
  const DType dtype = fill_->type == ValueType::kBf16 ? DType::kBf16 : DType::kF32;
  const auto made = [&](OperandSide side, MatrixView& view) {
    const StoredShape shape = stored_shape(record, side);
    const SyntheticTensor tensor(synthetic_spec(*fill_, seed_, record, side));
    std::vector<std::byte> bytes =
        product_values(tensor, shape, batch_index, fill_->type, threads_);
    view = operand_view(
        product, side, 0,
        {{}, dtype, {shape.rows, shape.columns}, bytes.data(), static_cast<int64_t>(bytes.size())},
        "filled operand");
    return bytes;
  };
  Operands operands;
  std::vector<std::byte> a = made(OperandSide::kA, operands.a);
  std::vector<std::byte> b = made(OperandSide::kB, operands.b);
  return {operands, std::move(a), std::move(b)};
}

}  // namespace nibblecore
