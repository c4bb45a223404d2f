// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace nibblecore {

/// No file below `from` may include, itself or through headers, a file below `forbidden`; both are
/// folders relative to the root, such as "hw" and "model/quantize".
struct IncludeRule {
  std::string from;
  std::string forbidden;
};

/// Every chain of includes that breaks a rule, as "hw/a.cpp -> model/b.hpp ->
/// model/quantize/c.hpp". Includes are resolved as the compiler does with `root` as its include
/// path: in the folder of the including file, then in `root`. One that names a forbidden folder
/// counts even where the file does not exist.
std::vector<std::string> include_violations(const std::filesystem::path& root,
                                            const std::vector<IncludeRule>& rules);

/// How many source files lie below `folder`.
int count_sources(const std::filesystem::path& folder);

}  // namespace nibblecore
