// SPDX-License-Identifier: Apache-2.0
#include "model/common/named_file.hpp"

#include <filesystem>
#include <system_error>

#include "model/common/error.hpp"
#include "model/common/json_node.hpp"
#include "model/common/small_file.hpp"
#include "model/common/strict_json.hpp"

namespace nibblecore {

std::string read_named_file(const NamedFileKind& kind, std::string_view path,
                            const std::vector<std::string_view>& built_in) {
  std::error_code error;
  if (!std::filesystem::exists(path, error)) {
    throw InputError(std::string(kind.option), in_quotes(path) + " is neither a built-in " +
                                                   std::string(kind.noun) + " (" +
                                                   joined(built_in) + ") nor a file");
  }
  return read_small_file(path, std::string(kind.file));
}

}  // namespace nibblecore
