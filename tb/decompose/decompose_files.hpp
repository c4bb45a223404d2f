// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ostream>

#include "tb/decompose/decompose_run.hpp"

namespace nibblecore::tb {

/// A line a tensor, then a line a layer kind, then the total. The same values give the same bytes.
void write_decompose_csv(std::ostream& out, const DecomposeResult& result);

/// Configuration, version, total, layer kinds, tensors. The same run gives the same bytes: no time,
/// host or thread count is in it.
void write_decompose_json(std::ostream& out, const DecomposeOptions& options,
                          const DecomposeResult& result);

}  // namespace nibblecore::tb
