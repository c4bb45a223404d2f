// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "tb/decompose/decompose_run.hpp"

namespace nibblecore::tb {

/// The main figures as a table for a terminal, with a sentence on whether the three parts of the
/// error are orthogonal, and one on blocks that were left out.
std::string decompose_table(const DecomposeResult& result);

}  // namespace nibblecore::tb
