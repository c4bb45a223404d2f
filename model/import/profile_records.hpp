// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "model/import/import_options.hpp"
#include "model/import/imported_trace.hpp"
#include "model/import/profiled_gemm.hpp"

namespace nibblecore {

/// What an importer of profiles has read of a file.
struct ReadProfile {
  std::vector<ProfiledGemm> gemms;  ///< in any order
  ImportCounts counts;              ///< of what was skipped
  std::optional<int64_t> rank;      ///< of the process, where the file has it
};

/// The common end of importers of profiles: puts GEMMs in program order, links the backward pass,
/// names layers and phases, counts, and merges. InputError naming the file `name` where it had GEMM
/// operators but no shapes ("recorded without record_shapes"), or no GEMM at all; `hint` then says
/// what else was in it.
ImportedTrace profile_records(ReadProfile profile, const std::string& name,
                              const ImportOptions& options, const std::string& hint = {});

}  // namespace nibblecore
