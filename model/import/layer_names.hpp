// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "model/import/profiled_gemm.hpp"

namespace nibblecore {

/// Names the layer of every GEMM, in program order, after link_backward: the module path where the
/// file has it; else the operator or its wrapper and a number, "linear.17". The number is that of
/// the weights, in order of first use, where the file tells tensors apart; else the ordinal within
/// process, phase and step. A linked backward GEMM has its forward GEMM's layer.
void name_layers(std::vector<ProfiledGemm>& gemms);

}  // namespace nibblecore
