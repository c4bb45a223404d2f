// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "model/formats/matrix_view.hpp"
#include "model/trace/gemm_record.hpp"
#include "model/trace/safetensors_reader.hpp"
#include "tb/replay/correction_options.hpp"

namespace nibblecore::tb {

/// A tensor of a file as an operand: rows along its last axis.
struct TensorInput {
  std::string name;
  std::string kind;  ///< of its layer (layer_kind.hpp)
  MatrixView view;
  OperandRole role = OperandRole::kActivation;  ///< kWeight where the name ends in weight or w
  GemmRecord record;  ///< as which it gets its treatment: the tensor is operand A and B
};

/// The F32 and BF16 tensors of a file.
struct TensorInputs {
  std::vector<TensorInput> inputs;  ///< those that the filter takes and that hold values
  std::vector<GemmRecord> records;  ///< of all tensors of the file, in its order
};

/// `filter` is a regular expression found anywhere in a name. Tensors of integers are left out with
/// a note on standard error. InputError for another type, a bad filter, or where no tensor is left.
TensorInputs tensor_inputs(const SafetensorsFile& file, const std::string& filter);

}  // namespace nibblecore::tb
