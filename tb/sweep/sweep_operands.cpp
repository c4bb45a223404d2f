// SPDX-License-Identifier: Apache-2.0
#include "tb/sweep/sweep_operands.hpp"

#include <set>
#include <tuple>
#include <utility>

#include "model/common/error.hpp"
#include "model/trace/filter.hpp"
#include "model/trace/manifest.hpp"

namespace nibblecore::tb {
namespace {

/// What A and B of a GEMM are.
std::pair<const char*, const char*> groups_of(GemmKind kind) {
  switch (kind) {
    case GemmKind::kFprop:
      return {"activations", "weights"};
    case GemmKind::kDgrad:
      return {"gradients", "weights"};
    case GemmKind::kWgrad:
      break;
  }
  return {"gradients", "activations"};
}

std::string name_of(const TensorRef& tensor, const MatrixView& view, const GemmRecord& record,
                    int64_t product) {
  return tensor.tensor + (view.k_stride == 1 ? "" : "^T") +
         (record.batch == 1 ? "" : "[" + std::to_string(product) + "]");
}

}  // namespace

std::vector<SweepOperand> sweep_operands(const Trace& trace, const std::string& filter) {
  const Filter records(filter);
  std::vector<SweepOperand> operands;
  std::set<std::tuple<const void*, int64_t, int64_t>> seen;  // data and both strides
  const auto add = [&](std::string name, const char* group, const MatrixView& view) {
    if (view.rows > 0 && view.k > 0 &&
        seen.insert({view.data, view.row_stride, view.k_stride}).second) {
      operands.push_back({std::move(name), group, view});
    }
  };
  for (const GemmRecord& record : trace.records()) {
    if (!record.quantize || !records.matches(record)) {
      continue;
    }
    if (!record.has_operands()) {
      throw InputError(std::string(kManifestName) + ":" + std::to_string(record.line),
                       "the record has no operands to measure");
    }
    const auto [a, b] = groups_of(record.kind);
    for (int64_t product = 0; product < record.batch; ++product) {
      const Operands both = trace.operands(record, product);
      add(name_of(*record.a, both.a, record, product), a, both.a);
      add(name_of(*record.b, both.b, record, product), b, both.b);
    }
  }
  if (operands.empty()) {
    throw InputError("--filter", "no quantized record of the trace matches '" + filter + "'");
  }
  return operands;
}

}  // namespace nibblecore::tb
