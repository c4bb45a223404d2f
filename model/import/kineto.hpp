// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <istream>
#include <string>

#include "model/import/import_options.hpp"
#include "model/import/imported_trace.hpp"

namespace nibblecore {

/// GEMMs of a Chrome trace as torch.profiler (Kineto) writes it, plain or gzip, an object with
/// "traceEvents" or a bare array of events in any order. `name` stands for the file in messages.
/// What is kept in memory grows with the operators and annotations of interest, not with the file.
/// docs/import.md has the rules. InputError naming the file and the offset or event, the field and
/// the reason where it is malformed, holds no GEMM operator, or was recorded without shapes.
ImportedTrace import_kineto(std::istream& file, const std::string& name,
                            const ImportOptions& options);

}  // namespace nibblecore
