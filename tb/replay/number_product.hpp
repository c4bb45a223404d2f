// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "model/quantize/operand_statistics.hpp"
#include "model/scheme/gemm_treatment.hpp"
#include "model/trace/trace.hpp"

namespace nibblecore::tb {

/// A product that no 4-bit hardware computes, since an operand stays unquantized, has its blocks
/// along another axis than K, or another format than the other: operands as numbers, multiplied in
/// FP64 and rounded to FP32 once.
struct NumberProduct {
  std::vector<uint32_t> bits;  ///< [m, n] FP32
  OperandStatistics a;         ///< agreement alone where an operand is multiplied as numbers
  OperandStatistics b;
};

/// Computes it on operands along K, random streams set. InputError where a size overflows or a
/// recipe does not go with its operand.
NumberProduct number_product(const Operands& operands, const GemmTreatment& treatment, int threads);

}  // namespace nibblecore::tb
