// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>

namespace nibblecore {

/// The text of a file of a few kilobytes; `what` says what it should be ("a machine file").
/// InputError where it can't be read, is no regular file, or is larger than 1 MiB: whoever names a
/// file of tensors by mistake waits for nothing.
std::string read_small_file(const std::filesystem::path& path, const std::string& what);

}  // namespace nibblecore
