// SPDX-License-Identifier: Apache-2.0
#include "model/trace/trace.hpp"

#include <optional>

#include "model/common/error.hpp"
#include "model/common/strict_json.hpp"
#include "model/trace/manifest.hpp"

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

}  // namespace

Trace::Trace(const std::filesystem::path& folder)
    : folder_(folder), records_(read_manifest(folder)) {}

Operands Trace::operands(const GemmRecord& record, int64_t batch_index) const {
  return {view(record, Role::kA, batch_index), view(record, Role::kB, batch_index)};
}

void Trace::validate() const {
  for (const GemmRecord& record : records_) {
    if (record.has_operands()) {
      operands(record);
    }
  }
}

MatrixView Trace::view(const GemmRecord& record, Role role, int64_t batch_index) const {
  const bool is_a = role == Role::kA;
  const std::string place = (folder_ / kManifestName).string() + ":" + std::to_string(record.line) +
                            ", field \"" + (is_a ? "a" : "b") + "\"";
  const std::optional<TensorRef>& ref = is_a ? record.a : record.b;
  if (!ref) {
    throw InputError(place, "is missing: the record holds no operands");
  }
  if (batch_index < 0 || batch_index >= record.batch) {
    throw InternalError(place + ": batch index " + std::to_string(batch_index) + " of " +
                        std::to_string(record.batch));
  }
  const std::string tensor_place =
      place + ", tensor " + in_quotes(ref->tensor) + " of " + ref->file;
  const Tensor* const tensor = file(ref->file).find(ref->tensor);
  if (tensor == nullptr) {
    throw InputError(tensor_place, "is not in the file");
  }
  const std::optional<ValueType> type = value_type(tensor->dtype);
  if (!type) {
    throw InputError(tensor_place,
                     "is " + std::string(name_of(tensor->dtype)) + ", not F32 or BF16");
  }

  const int64_t rows = is_a ? record.m : record.n;
  // Stored [rows, k]: A as it is, B transposed.
  const bool k_is_last =
      (is_a ? record.transpose_a : record.transpose_b) == (is_a ? Transpose::kNo : Transpose::kYes);
  std::vector<int64_t> expected =
      k_is_last ? std::vector{rows, record.k} : std::vector{record.k, rows};
  const bool matches_unbatched = record.batch == 1 && tensor->shape == expected;
  if (!matches_unbatched) {
    std::vector<int64_t> batched = expected;
    batched.insert(batched.begin(), record.batch);
    if (tensor->shape != batched) {
      throw InputError(tensor_place, "expected shape " +
                                         shape_text(record.batch == 1 ? expected : batched) +
                                         ", found " + shape_text(tensor->shape));
    }
  }
  const int64_t matrix_bytes = tensor->bytes / record.batch;
  return {tensor->data + batch_index * matrix_bytes,
          *type,
          rows,
          record.k,
          k_is_last ? record.k : 1,
          k_is_last ? 1 : rows};
}

const SafetensorsFile& Trace::file(const std::string& name) const {
  const std::lock_guard<std::mutex> lock(files_mutex_);
  const auto found = files_.find(name);
  if (found != files_.end()) {
    return found->second;
  }
  return files_.emplace(name, SafetensorsFile(folder_ / name)).first->second;
}

}  // namespace nibblecore
