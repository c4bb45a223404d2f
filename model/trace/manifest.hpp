// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <vector>

#include "model/trace/gemm_record.hpp"

namespace nibblecore {

/// Name of the manifest in a trace's folder.
inline constexpr const char* kManifestName = "gemms.jsonl";

/// Longest phase or layer name, in bytes: matching a regex takes stack in proportion.
inline constexpr int kLongestName = 1024;

/// Reads the manifest of a trace folder, records in file order. Checks every field but opens no
/// tensor. InputError "file:line, field, reason" for whatever is wrong; unknown fields are ignored.
std::vector<GemmRecord> read_manifest(const std::filesystem::path& folder);

}  // namespace nibblecore
