// SPDX-License-Identifier: Apache-2.0
#include "model/common/small_file.hpp"

#include <cstdint>
#include <fstream>
#include <iterator>
#include <system_error>

#include "model/common/error.hpp"

namespace nibblecore {

std::string read_small_file(const std::filesystem::path& path, const std::string& what) {
  constexpr std::uintmax_t kLargestFile = 1 << 20;
  std::error_code error;
  // Asked first: opening a pipe would wait for a writer.
  if (!std::filesystem::is_regular_file(path, error)) {
    throw InputError(path.string(), "cannot open: not a regular file");
  }
  if (std::filesystem::file_size(path, error) > kLargestFile) {
    throw InputError(path.string(), "is larger than 1 MiB: not " + what);
  }
  std::ifstream file(path, std::ios::binary);
  std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  if (!file) {
    throw InputError(path.string(), "cannot read");
  }
  return text;
}

}  // namespace nibblecore
