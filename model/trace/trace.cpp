// SPDX-License-Identifier: Apache-2.0
#include "model/trace/trace.hpp"

#include <optional>

#include "model/common/error.hpp"
#include "model/common/strict_json.hpp"
#include "model/trace/manifest.hpp"

namespace nibblecore {

Trace::Trace(const std::filesystem::path& folder)
    : folder_(folder), records_(read_manifest(folder)) {}

Operands Trace::operands(const GemmRecord& record, int64_t batch_index) const {
  return {view(record, OperandSide::kA, batch_index), view(record, OperandSide::kB, batch_index)};
}

void Trace::release(const GemmRecord& record, int64_t batch_index) const {
  const Operands views = operands(record, batch_index);
  const auto release_operand = [&](const TensorRef& tensor, const MatrixView& view) {
    const int64_t width = view.type == ValueType::kBf16 ? 2 : 4;
    file(tensor.file).release(view.data, view.rows * view.k * width);
  };
  release_operand(*record.a, views.a);
  release_operand(*record.b, views.b);
}

void Trace::validate() const {
  for (const GemmRecord& record : records_) {
    if (record.has_operands()) {
      operands(record);
    }
  }
}

MatrixView Trace::view(const GemmRecord& record, OperandSide side, int64_t batch_index) const {
  const bool is_a = side == OperandSide::kA;
  const std::string place = (folder_ / kManifestName).string() + ":" + std::to_string(record.line) +
                            ", field \"" + (is_a ? "a" : "b") + "\"";
  const std::optional<TensorRef>& ref = is_a ? record.a : record.b;
  if (!ref) {
    throw InputError(place, "is missing: the record holds no operands");
  }
  const std::string tensor_place =
      place + ", tensor " + in_quotes(ref->tensor) + " of " + ref->file;
  const Tensor* const tensor = file(ref->file).find(ref->tensor);
  if (tensor == nullptr) {
    throw InputError(tensor_place, "is not in the file");
  }
  return operand_view(record, side, batch_index, *tensor, tensor_place);
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
