// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>

#include "tb/replay/replay.hpp"

namespace nibblecore::tb {

/// InputError where `folder` is no folder, or can't be made: to be asked before long work.
void require_output_folder(const std::filesystem::path& folder);

/// Makes the folder where it is missing; InputError where that fails.
void make_output_folder(const std::filesystem::path& folder);

/// Writes `report.json` (configuration, versions, totals, sums, every GEMM) and `gemms.csv` into
/// `folder`, which is made where it is missing. The same replay gives the same bytes: no time, host
/// or thread count is in them. InputError where the folder can't be written.
void write_replay_files(const std::filesystem::path& folder, const ReplayOptions& options,
                        const ReplayResult& result);

}  // namespace nibblecore::tb
