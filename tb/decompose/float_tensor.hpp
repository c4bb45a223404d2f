// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "model/formats/matrix_view.hpp"
#include "model/trace/tensor.hpp"

namespace nibblecore::tb {

/// The type of a tensor's values where they are F32 or BF16. A tensor of integers gives nothing,
/// and a note on standard error that it is left out; InputError at `place` for any other type.
std::optional<ValueType> float_type(const Tensor& tensor, const std::string& place);

}  // namespace nibblecore::tb
