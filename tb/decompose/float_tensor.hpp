// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "model/formats/matrix_view.hpp"
#include "model/trace/safetensors_reader.hpp"

namespace nibblecore::tb {

/// Where a message says that a tensor of a file is wrong.
std::string tensor_place(const SafetensorsFile& file, const Tensor& tensor);

/// The type of a tensor's values where they are F32 or BF16. A tensor of integers gives nothing,
/// and a note on standard error that it is left out; InputError at `place` for any other type.
std::optional<ValueType> float_type(const Tensor& tensor, const std::string& place);

/// A tensor of any rank as rows along its last axis; a scalar is one row of one. InputError at
/// `place` where the size is beyond 64 bits.
MatrixView last_axis_rows(const Tensor& tensor, ValueType type, const std::string& place);

}  // namespace nibblecore::tb
