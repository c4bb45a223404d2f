// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "model/fill/fill.hpp"
#include "model/synthetic/synthetic_tensor.hpp"
#include "model/trace/gemm_record.hpp"
#include "model/trace/operand_view.hpp"

namespace nibblecore {

/// Which tensor of its layer an operand of a GEMM is.
LayerTensor layer_tensor(GemmKind kind, OperandSide side);

/// Its stored shape in one product: [tokens, in], [out, in] or [tokens, out].
struct StoredShape {
  int64_t rows;
  int64_t columns;
};
StoredShape stored_shape(const GemmRecord& record, OperandSide side);

/// What makes the operand the tensor that it is; operands of equal identities are one tensor. x and
/// dy: phase (without a trailing ".recompute": that is the same forward again), layer, step, rank,
/// expert and shape. w: layer, expert and shape alone, so that it is the same in all phases.
std::string tensor_identity(const GemmRecord& record, OperandSide side);

/// What the operand is drawn from: [batch * rows, columns], the batch's matrices one below the
/// other. Values follow from `seed` and the identity alone: not from the rest of the trace. Outlier
/// channels follow from `seed`, tensor, layer and columns: they persist over phases, steps, ranks
/// and experts. InputError where a size leaves 64 bits.
SyntheticSpec synthetic_spec(const Fill& fill, uint64_t seed, const GemmRecord& record,
                             OperandSide side);

}  // namespace nibblecore
