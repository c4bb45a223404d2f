// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "model/trace/gemm_record.hpp"

namespace nibblecore {

/// One line of a manifest without its end. Optional fields that hold their default (count and batch
/// of 1, no step, rank, expert, operands) are left out; `line` is not written.
std::string manifest_line(const GemmRecord& record);

/// Writes `folder`/gemms.jsonl, whole or not at all; makes the folder where it is missing, and
/// replaces a manifest that is there. Ids are written as they are. InputError where the folder
/// can't be written.
void write_manifest(const std::filesystem::path& folder, const std::vector<GemmRecord>& records);

}  // namespace nibblecore
