// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <variant>

#include <boost/json/value.hpp>

#include "model/import/operator_names.hpp"
#include "model/import/skip_reason.hpp"

namespace nibblecore {

/// Sizes of a product C[m,n] = A[m,k] B[k,n], `batch` times.
struct GemmShape {
  int64_t m = 0;
  int64_t n = 0;
  int64_t k = 0;
  int64_t batch = 1;
};

/// How an operand of a product lies in memory, where that is known.
enum class Storage { kUnknown, kRows, kTransposed };

/// The shape of an operator whose arguments have the given dimensions ("Input Dims" of Kineto,
/// "input_shapes" of an execution trace: a list per argument, empty for what is no tensor), or why
/// it has none. The multiply-accumulates fit 64 bits.
std::variant<GemmShape, SkipReason> gemm_shape(const GemmOperator& gemm,
                                               const boost::json::value* dimensions);

/// How A and B lie in memory by their strides ("Input Strides", a list per argument): rows one
/// after another, or transposed. Unknown where there are no strides, they are neither, or a
/// dimension of 1 leaves it open.
std::array<Storage, 2> gemm_storage(const GemmOperator& gemm, const GemmShape& shape,
                                    const boost::json::value* strides);

}  // namespace nibblecore
