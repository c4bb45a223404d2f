// SPDX-License-Identifier: Apache-2.0
#include "tb/sweep/tensor_inputs.hpp"

#include "model/common/error.hpp"
#include "model/common/strict_json.hpp"
#include "tb/decompose/float_tensor.hpp"
#include "tb/decompose/layer_kind.hpp"
#include "tb/decompose/name_filter.hpp"

namespace nibblecore::tb {
namespace {

OperandRole role_of(const std::string& name) {
  const std::string last = name.substr(name.rfind('.') + 1);
  return last == "weight" || last == "w" ? OperandRole::kWeight : OperandRole::kActivation;
}

/// A product of the tensor with itself, which gets whatever its operands get.
GemmRecord record_of(const SafetensorsFile& file, const Tensor& tensor) {
  GemmRecord record;
  record.a = TensorRef{file.path(), tensor.name};
  record.b = record.a;
  record.phase = "train";
  record.quantize = true;
  return record;
}

}  // namespace

TensorInputs tensor_inputs(const SafetensorsFile& file, const std::string& filter) {
  const NameFilter names(filter);
  TensorInputs found;
  for (const Tensor& tensor : file.tensors()) {
    found.records.push_back(record_of(file, tensor));
    if (!names.matches(tensor.name)) {
      continue;
    }
    const std::string place = tensor_place(file, tensor);
    const auto type = float_type(tensor, place);
    if (!type) {
      continue;
    }
    const MatrixView view = last_axis_rows(tensor, *type, place);
    if (view.rows == 0 || view.k == 0) {
      continue;
    }
    TensorInput input{tensor.name, layer_kind(tensor.name), view, role_of(tensor.name),
                      found.records.back()};
    input.record.m = view.rows;
    input.record.n = view.rows;
    input.record.k = view.k;
    found.inputs.push_back(std::move(input));
  }
  if (found.inputs.empty()) {
    throw InputError(file.path(), filter.empty() ? "no tensor holds F32 or BF16 values"
                                                 : "no tensor with F32 or BF16 values matches " +
                                                       in_quotes(filter));
  }
  return found;
}

}  // namespace nibblecore::tb
