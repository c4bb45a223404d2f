// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <filesystem>
#include <istream>
#include <string>
#include <string_view>

#include "model/import/execution_trace.hpp"
#include "model/import/gemm_csv.hpp"
#include "model/import/import_options.hpp"
#include "model/import/imported_trace.hpp"
#include "model/import/kineto.hpp"

namespace nibblecore {

/// A format that GEMMs can be imported from.
struct Importer {
  std::string_view name;
  std::string_view description;
  /// Reads a whole file, named in messages; throws InputError alone for whatever is in it.
  ImportedTrace (*read)(std::istream& file, const std::string& name, const ImportOptions& options);
};

/// Every importer. A new one is a file with its test and a row here.
inline constexpr std::array<Importer, 3> kImporters{{
    {"kineto", "torch.profiler (Kineto) Chrome trace, .json or .json.gz", import_kineto},
    {"et", "PyTorch execution trace, schema 1.0 or 1.1-chakra", import_execution_trace},
    {"csv", "CSV with columns M, N, K: SCALE-Sim's GEMM format or a plain table", import_gemm_csv},
}};

/// The importer of this name; InputError at `place` that lists them where there is none.
const Importer& find_importer(std::string_view name, const std::string& place);

/// Imports a regular file; InputError also where it can't be read.
ImportedTrace import_file(const Importer& importer, const std::filesystem::path& path,
                          const ImportOptions& options);

}  // namespace nibblecore
