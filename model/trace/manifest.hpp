// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "model/trace/gemm_record.hpp"

namespace nibblecore {

/// Name of the manifest in a trace's folder.
inline constexpr const char* kManifestName = "gemms.jsonl";

/// Longest phase or layer name, in bytes: searching for a NamePattern takes effort in proportion.
inline constexpr int kLongestName = 1024;

/// Reads a manifest's text, records in its order. Checks every field but opens no tensor.
/// InputError "`file`:line, field, reason" for whatever is wrong; unknown fields are ignored.
std::vector<GemmRecord> parse_manifest(std::string_view text, const std::string& file);

/// Reads the manifest of a trace folder; InputError also where it can't be read.
std::vector<GemmRecord> read_manifest(const std::filesystem::path& folder);

}  // namespace nibblecore
