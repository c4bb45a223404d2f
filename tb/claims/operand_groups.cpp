// SPDX-License-Identifier: Apache-2.0
#include "tb/claims/operand_groups.hpp"

#include <algorithm>
#include <array>
#include <set>
#include <tuple>
#include <utility>

namespace nibblecore::tb {
namespace {

enum Group : size_t { kWeights, kActivations, kGradients };

/// What A and B of a GEMM are.
std::pair<Group, Group> groups_of(GemmKind kind) {
  switch (kind) {
    case GemmKind::kFprop:
      return {kActivations, kWeights};
    case GemmKind::kDgrad:
      return {kGradients, kWeights};
    case GemmKind::kWgrad:
      break;
  }
  return {kGradients, kActivations};
}

}  // namespace

std::vector<OperandGroup> operand_groups(const Trace& trace, const std::string& trace_name) {
  std::vector<OperandGroup> groups{{trace_name + " weights", {}},
                                   {trace_name + " activations", {}},
                                   {trace_name + " gradients", {}}};
  std::set<std::tuple<const void*, int64_t, int64_t>> seen;  // data and both strides
  const auto add = [&](const MatrixView& view, Group group) {
    if (view.rows > 0 && view.k > 0 &&
        seen.insert({view.data, view.row_stride, view.k_stride}).second) {
      groups[group].operands.push_back(view);
    }
  };
  for (const GemmRecord& record : trace.records()) {
    if (!record.quantize || !record.has_operands()) {
      continue;
    }
    const auto [a, b] = groups_of(record.kind);
    for (int64_t product = 0; product < record.batch; ++product) {
      const Operands operands = trace.operands(record, product);
      add(operands.a, a);
      add(operands.b, b);
    }
  }
  groups.erase(std::remove_if(groups.begin(), groups.end(),
                              [](const OperandGroup& group) { return group.operands.empty(); }),
               groups.end());
  return groups;
}

}  // namespace nibblecore::tb
