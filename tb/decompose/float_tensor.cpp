// SPDX-License-Identifier: Apache-2.0
#include "tb/decompose/float_tensor.hpp"

#include <fmt/format.h>

#include "model/analysis/blocked_rows.hpp"
#include "model/common/error.hpp"

namespace nibblecore::tb {

std::string tensor_place(const SafetensorsFile& file, const Tensor& tensor) {
  return file.path() + ": tensor '" + tensor.name + "'";
}

std::optional<ValueType> float_type(const Tensor& tensor, const std::string& place) {
  switch (tensor.dtype) {
    case DType::kF32:
      return ValueType::kF32;
    case DType::kBf16:
      return ValueType::kBf16;
    case DType::kBool:
    case DType::kU8:
    case DType::kI8:
    case DType::kI16:
    case DType::kU16:
    case DType::kI32:
    case DType::kU32:
    case DType::kI64:
    case DType::kU64:
      fmt::print(stderr, "{}: {} holds no floating-point values, left out\n", place,
                 name_of(tensor.dtype));
      return std::nullopt;
    default:
      throw InputError(place, "dtype " + std::string(name_of(tensor.dtype)) +
                                  " can't be quantized (F32 and BF16 can)");
  }
}

MatrixView last_axis_rows(const Tensor& tensor, ValueType type, const std::string& place) {
  return blocked_rows(tensor.data, type, tensor.shape, -1, place).slice;
}

}  // namespace nibblecore::tb
