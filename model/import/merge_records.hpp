// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "model/import/import_options.hpp"
#include "model/trace/gemm_record.hpp"

namespace nibblecore {

/// Merges shape-only records that are equal in everything but id and count, unless told
/// Merge::kNone; adds their counts and numbers what is left from 0. For Merge::kShape the caller
/// has given them common layer names. Records whose multiply-accumulates would leave 64 bits
/// together stay apart.
std::vector<GemmRecord> merge_records(std::vector<GemmRecord> records, Merge merge);

}  // namespace nibblecore
