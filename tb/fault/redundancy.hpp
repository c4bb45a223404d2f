// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string_view>

#include "model/formats/block_format.hpp"
#include "tb/fault/fault.hpp"

namespace nibblecore::tb {

/// What proves that a stuck bit changes no result, of any input of this format; none where nothing
/// does. docs/faults.md has the proofs.
std::optional<std::string_view> redundancy(const Fault& fault, const BlockFormat& format);

/// Whether the bit never has the other value (the first kind of rule): then it must not move in any
/// run of a sound core.
bool is_constant_bit(const Fault& fault, const BlockFormat& format);

}  // namespace nibblecore::tb
