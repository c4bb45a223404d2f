// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "model/formats/matrix_view.hpp"
#include "model/trace/trace.hpp"

namespace nibblecore::tb {

/// Operands of a trace's quantized GEMMs that are of one kind, each along K of its GEMM. A tensor
/// that several GEMMs read along the same axis is there once.
struct OperandGroup {
  std::string name;  ///< "TRACE weights", "TRACE activations", "TRACE gradients"
  std::vector<MatrixView> operands;
};

/// The groups that have operands, by what a GEMM is: activation times weight (fprop), gradient
/// times weight (dgrad), gradient times activation (wgrad). They live as long as the trace. Errors
/// as Trace::operands.
std::vector<OperandGroup> operand_groups(const Trace& trace, const std::string& trace_name);

}  // namespace nibblecore::tb
