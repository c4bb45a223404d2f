// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "model/formats/accumulation.hpp"
#include "model/formats/packed_matrix.hpp"

namespace nibblecore {

struct TruncatedOutputs {
  std::vector<uint32_t> bits;
  std::vector<uint8_t> truncation;
};

/// D[M,N] and what truncation took, from the words of the policies `blackwell*` (docs/numerics.md):
/// elements and scales are decoded to values, exponents found from values, terms cut as fixed-point
/// numbers of 1024 bits, and the result searched among all FP32 numbers. Tensor scales are 1. `c`
/// is [M,N].
TruncatedOutputs truncated_from_values(const PackedMatrix& a, const PackedMatrix& b,
                                       Accumulation policy, const std::vector<uint32_t>& c);

}  // namespace nibblecore
