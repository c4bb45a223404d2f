// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <istream>
#include <string>

#include "model/import/import_options.hpp"
#include "model/import/imported_trace.hpp"

namespace nibblecore {

/// GEMMs of a PyTorch execution trace (ExecutionTraceObserver), schema 1.0.x or 1.1.x-chakra, plain
/// or gzip, nodes in any order. `name` stands for the file in messages. Keeps some 50 bytes a node.
/// docs/import.md has the rules. InputError naming the file and the offset or node, the field and
/// the reason where it is malformed, of another schema, or holds no GEMM with shapes.
ImportedTrace import_execution_trace(std::istream& file, const std::string& name,
                                     const ImportOptions& options);

}  // namespace nibblecore
