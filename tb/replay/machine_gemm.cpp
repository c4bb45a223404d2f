// SPDX-License-Identifier: Apache-2.0
#include "tb/replay/machine_gemm.hpp"

#include "model/common/checked.hpp"

namespace nibblecore::tb {
namespace {

OperandPath online_path(ValueType type) {
  return type == ValueType::kBf16 ? OperandPath::kOnlineBf16 : OperandPath::kOnlineFp32;
}

}  // namespace

GemmSpec gemm_spec(const ReplayOptions& options, const GemmRecord& record,
                   const OperandTypes& types) {
  GemmSpec spec{record.m, record.n, record.k, options.preset.format};
  if (options.online == Online::kA || options.online == Online::kBoth) {
    spec.a = online_path(types.a);
  }
  if (options.online == Online::kB || options.online == Online::kBoth) {
    spec.b = online_path(types.b);
  }
  if (options.residual.covers(record)) {
    spec.residual = options.residual.pattern;
    spec.residual_build = options.residual.build;
    spec.residual_order = options.residual.order;
  }
  spec.output = options.output;
  return spec;
}

int64_t bf16_cycles(const Machine& machine, const GemmRecord& record) {
  const char* place = "cycles of a BF16 GEMM";
  const int64_t macs =
      checked_multiply(checked_multiply(record.m, record.n, place), record.k, place);
  const int64_t rate = checked_multiply(machine.bf16_macs_per_cycle, machine.cores, place);
  return checked_multiply(ceil_divide(macs, rate), record.batch, place);
}

}  // namespace nibblecore::tb
