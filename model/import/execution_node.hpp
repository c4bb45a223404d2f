// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include <boost/json/value.hpp>

#include "model/import/operator_names.hpp"
#include "model/import/profiled_gemm.hpp"

namespace nibblecore {

/// What every node of an execution trace has; views live as long as the node's JSON.
struct ExecutionNode {
  std::string_view name;
  int64_t id = 0;
  int64_t parent = 0;  ///< "parent" or "ctrl_deps"; its own id at the root, or where it has none
};

/// What nodes of interest have beyond that.
struct ExecutionDetails {
  bool annotation = false;  ///< scope 7
  int64_t sequence = -1;
  int64_t thread = 0;
  int64_t forward_thread = 0;
  const boost::json::value* shapes = nullptr;
  const boost::json::value* strides = nullptr;
  const boost::json::value* values = nullptr;
};

/// InputError at `place`, with the field, where it is no object or lacks name or id.
ExecutionNode read_execution_node(const boost::json::value& node, const std::string& place);

/// Reads the details of a node of either layout: fields of its own with lists inputs and
/// input_shapes (1.0), or attrs and inputs {values, shapes} (1.1-chakra).
ExecutionDetails read_execution_details(const boost::json::value& node);

/// Identities of A and B, whose values are [tensor, storage, offset, elements, ...]; nothing where
/// one is no such value.
std::optional<std::array<TensorIdentity, 2>> operand_identities(const GemmOperator& gemm,
                                                                const boost::json::value* values);

}  // namespace nibblecore
