// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <istream>
#include <string>

#include "model/import/import_options.hpp"
#include "model/import/imported_trace.hpp"

namespace nibblecore {

/// GEMMs of a CSV file, plain or gzip, whose first line names columns M, N and K and perhaps Layer:
/// SCALE-Sim's GEMM format (`-i gemm`: comma at the end of each line, spaces behind commas, a
/// column Sparsity, which is ignored) or a plain table. Each row is an fprop. `name` stands for the
/// file in messages. InputError naming line, column and reason where anything is wrong; SCALE-Sim's
/// convolution format is told apart by its header.
ImportedTrace import_gemm_csv(std::istream& file, const std::string& name,
                              const ImportOptions& options);

}  // namespace nibblecore
