// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "model/common/json_node.hpp"
#include "model/workload/recipe.hpp"

namespace nibblecore {

/// The most that sizes of a recipe may be: what is drawn and packed stays small enough for a
/// second's work and for 64 bits.
inline constexpr int64_t kMostTokens = int64_t{1} << 24;

// Values of recipe fields that are more than a number or a name; InputError naming the field.

/// {"law": ..., ...} of kLengthLaws.
LengthLaw read_length_law(const JsonNode& node);
/// {"law": ..., ...} of kExpertLaws.
ExpertLaw read_expert_law(const JsonNode& node);
/// "none", or ascending sizes.
std::vector<int64_t> read_decode_sizes(const JsonNode& node);
/// "off" (0), or {"multiple": n}.
int64_t read_attention(const JsonNode& node);

}  // namespace nibblecore
