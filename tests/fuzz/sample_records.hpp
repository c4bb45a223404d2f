// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "model/trace/gemm_record.hpp"

namespace nibblecore {

/// Records of usual and of unpleasant names, to match filters and the rules of schemes against.
const std::vector<GemmRecord>& sample_records();

}  // namespace nibblecore
