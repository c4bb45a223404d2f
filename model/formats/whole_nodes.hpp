// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "model/formats/accumulation.hpp"
#include "model/formats/block_format.hpp"

namespace nibblecore {

/// What keeps K from being whole blocks and, under a policy that truncates, whole nodes, which are
/// what one instruction multiplies: "is not a multiple of ..."; nothing where nothing does.
std::optional<std::string> partial_node(int64_t k, const BlockFormat& format, Accumulation policy);

}  // namespace nibblecore
