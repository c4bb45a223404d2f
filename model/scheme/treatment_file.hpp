// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>

#include "model/common/json_node.hpp"
#include "model/scheme/gemm_treatment.hpp"

namespace nibblecore {

/// The treatments of a scheme file by name; "none" is always there.
using NamedTreatments = std::map<std::string, OperandTreatment>;

/// Reads the object of named treatments. InputError naming the field and the reason.
NamedTreatments read_named_treatments(const JsonNode& node);

/// Reads `a`, `b`, `residual` and `epilogue` of a rule.
GemmTreatment read_treatment(const JsonNode& rule, const NamedTreatments& treatments);

}  // namespace nibblecore
