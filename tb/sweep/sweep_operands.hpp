// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "model/formats/matrix_view.hpp"
#include "model/trace/trace.hpp"

namespace nibblecore::tb {

/// An operand of a trace along K of its GEMM.
struct SweepOperand {
  std::string name;   ///< of its tensor; "^T" behind it where read along the first axis, [i] in a
                      ///< batch
  std::string group;  ///< weights, activations or gradients
  MatrixView view;
};

/// The operands of the quantized GEMMs that `filter` (model/trace/filter.hpp) takes, each once
/// however many GEMMs read it along the same axis. InputError where there are none, or one of the
/// GEMMs has no operands. They live as long as the trace.
std::vector<SweepOperand> sweep_operands(const Trace& trace, const std::string& filter);

}  // namespace nibblecore::tb
