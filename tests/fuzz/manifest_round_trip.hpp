// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "model/trace/gemm_record.hpp"

namespace nibblecore {

/// Writes the records as a manifest and reads it; throws where that gives other records, or one
/// whose multiply-accumulates overflow. Of what the manifest says of a record only its line may
/// change.
void require_manifest_round_trip(const std::vector<GemmRecord>& records);

}  // namespace nibblecore
