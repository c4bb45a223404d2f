// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "model/formats/matrix_view.hpp"
#include "model/trace/gemm_record.hpp"
#include "model/trace/tensor.hpp"

namespace nibblecore {

/// Which operand of a GEMM.
enum class OperandSide { kA, kB };

/// Both operands of a GEMM along its K: A as [M, K], B transposed as [N, K].
struct Operands {
  MatrixView a;
  MatrixView b;
};

/// The operand of product `batch_index` of a record that is stored in `tensor`, as [rows, K],
/// without a copy. InputError at `place` where the tensor is neither F32 nor BF16, or has not the
/// shape that the record says; a tensor of a record with batch 1 may be [1, ...] or go without that
/// dimension. InternalError for a product that the record does not have.
MatrixView operand_view(const GemmRecord& record, OperandSide side, int64_t batch_index,
                        const Tensor& tensor, const std::string& place);

}  // namespace nibblecore
