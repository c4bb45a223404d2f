// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/common/json_node.hpp"
#include "model/scheme/gemm_treatment.hpp"

namespace nibblecore {

/// Reads what an operand gets from a treatment of a scheme file (docs/schemes.md has its fields).
/// InputError naming the field and the reason. Random streams are there where they are needed, and
/// yet to be set.
OperandTreatment read_operand(const JsonNode& node);

}  // namespace nibblecore
