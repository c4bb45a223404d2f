// SPDX-License-Identifier: Apache-2.0
#include "model/import/importers.hpp"

#include <fstream>
#include <system_error>

#include "model/common/error.hpp"
#include "model/formats/named_record.hpp"
#include "model/trace/manifest.hpp"

namespace nibblecore {
namespace {

void require_phase(const ImportOptions& options) {
  constexpr size_t kRoom = 16;  // for ".recompute"
  if (options.phase && (options.phase->empty() || options.phase->size() + kRoom > kLongestName)) {
    throw InputError("phase", "is empty or too long for a manifest");
  }
}

}  // namespace

const Importer& find_importer(std::string_view name, const std::string& place) {
  return find_record(kImporters, name, place);
}

ImportedTrace import_file(const Importer& importer, const std::filesystem::path& path,
                          const ImportOptions& options) {
  require_phase(options);
  std::error_code error;
  // Asked first: opening a pipe would wait for a writer.
  if (!std::filesystem::is_regular_file(path, error)) {
    throw InputError(path.string(), error && error != std::errc::no_such_file_or_directory
                                        ? "cannot open: " + error.message()
                                    : std::filesystem::exists(path, error)
                                        ? "cannot open: not a regular file"
                                        : "cannot open: No such file or directory");
  }
  std::ifstream file(path, std::ios::binary);
  if (!file) {
    throw InputError(path.string(), "cannot open");
  }
  return importer.read(file, path.string(), options);
}

}  // namespace nibblecore
