// SPDX-License-Identifier: Apache-2.0
#include "tests/unit/reference/numerics_page.hpp"

#include <filesystem>
#include <fstream>
#include <iterator>

namespace nibblecore {

const std::string& numerics_page() {
  static const std::string text = [] {
    std::ifstream file(std::filesystem::path(NIBBLECORE_TEST_DATA) / "../../docs/numerics.md");
    return std::string(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
  }();
  return text;
}

}  // namespace nibblecore
