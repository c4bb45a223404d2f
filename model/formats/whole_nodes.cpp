// SPDX-License-Identifier: Apache-2.0
#include "model/formats/whole_nodes.hpp"

namespace nibblecore {

std::optional<std::string> partial_node(int64_t k, const BlockFormat& format, Accumulation policy) {
  if (k % format.block != 0) {
    return "is not a multiple of the block of " + std::to_string(format.block);
  }
  if (is_truncating(policy) && k % node_width(policy, format) != 0) {
    return "is not a multiple of the " + std::to_string(node_width(policy, format)) +
           " that one instruction of policy '" + std::string(name_of(policy)) + "' adds";
  }
  return std::nullopt;
}

}  // namespace nibblecore
