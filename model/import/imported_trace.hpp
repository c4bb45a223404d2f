// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "model/import/import_counts.hpp"
#include "model/trace/gemm_record.hpp"

namespace nibblecore {

/// GEMMs of a file of another format: shape-only records, ids from 0, at least one; fit for
/// write_manifest.
struct ImportedTrace {
  std::vector<GemmRecord> records;
  ImportCounts counts;
};

}  // namespace nibblecore
