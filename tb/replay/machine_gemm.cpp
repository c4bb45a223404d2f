// SPDX-License-Identifier: Apache-2.0
#include "tb/replay/machine_gemm.hpp"

#include <algorithm>
#include <string>

#include "hw/datapath/quantizer_job.hpp"
#include "model/common/checked.hpp"
#include "model/common/error.hpp"
#include "model/machine/program_sizes.hpp"
#include "model/machine/work_counts.hpp"

namespace nibblecore::tb {
namespace {

/// Which operand an option of --online names.
enum class Side { kA, kB };

bool names(Online online, Side side) {
  return online == Online::kBoth || online == (side == Side::kA ? Online::kA : Online::kB);
}

/// Whether the core's online quantizer does all that an operand gets.
bool has_circuit(const OperandTreatment& operand) {
  return operand.is_plain() && hw::has_circuit(operand.recipe->preset);
}

OperandPath path_of(const ReplayOptions& options, Side side, ValueType type,
                    const OperandTreatment& operand) {
  const bool wanted =
      options.online ? names(*options.online, side) : side == Side::kA && has_circuit(operand);
  if (!wanted) {
    return OperandPath::kPacked;
  }
  if (options.has_cycles() && !has_circuit(operand)) {
    throw InputError("--online", std::string("operand ") + (side == Side::kA ? "A" : "B") + " (" +
                                     operand.name +
                                     ") gets what no circuit of the core does; it has to come "
                                     "packed: leave --online out or give 'none'");
  }
  return type == ValueType::kBf16 ? OperandPath::kOnlineBf16 : OperandPath::kOnlineFp32;
}

void set_residual(const ReplayOptions& options, const ResidualTreatment& residual, GemmSpec& spec) {
  if (is_truncating(options.accumulation)) {
    throw InputError("--residual", "it has no place in the order of policy '" +
                                       std::string(name_of(options.accumulation)) + "'");
  }
  spec.residual = residual.pattern;
  spec.residual_build = residual.build;
  spec.residual_order = residual.order;
  spec.residual_accumulator =
      residual.alpha ? ResidualAccumulator::kOwn : ResidualAccumulator::kShared;
  if (!options.has_cycles()) {
    return;
  }
  if (spec.a == OperandPath::kPacked) {
    throw InputError("--residual",
                     "on the core it needs operand A online (--online a or both), by a circuit of "
                     "the core; A comes packed here: --fidelity numeric alone has that");
  }
  if (residual.selection) {
    throw InputError("--residual",
                     "the core has no block-selective fallback: --fidelity numeric "
                     "alone has it");
  }
}

/// Macro blocks of both operands have one length, the reference's.
void set_macro(const GemmTreatment& treatment, GemmSpec& spec) {
  const auto& a = treatment.a.recipe->macro;
  const auto& b = treatment.b.recipe->macro;
  spec.a_has_factors = a.has_value();
  spec.b_has_factors = b.has_value();
  spec.macro_length = a ? a->length : b ? b->length : 0;
  spec.macro_epilogue = treatment.epilogue;
}

}  // namespace

GemmSpec gemm_spec(const ReplayOptions& options, const GemmRecord& record,
                   const OperandTypes& types, const GemmTreatment& treatment) {
  GemmSpec spec{record.m, record.n, record.k, treatment.a.recipe->preset.format};
  require_format_of(options.accumulation, spec.format);
  if (options.has_cycles()) {
    require_supported(options.machine.machine.core, spec.format);
  }
  spec.a = path_of(options, Side::kA, types.a, treatment.a);
  spec.b = path_of(options, Side::kB, types.b, treatment.b);
  if (treatment.has_residual()) {
    set_residual(options, treatment.residual, spec);
  }
  set_macro(treatment, spec);
  spec.output = options.output;
  spec.accumulation = options.accumulation;
  return spec;
}

int64_t bf16_cycles(const Machine& machine, const GemmRecord& record) {
  const char* place = "cycles of a BF16 GEMM";
  const int64_t macs =
      checked_multiply(checked_multiply(record.m, record.n, place), record.k, place);
  const int64_t rate = checked_multiply(machine.bf16_macs_per_cycle, machine.cores, place);
  return checked_multiply(ceil_divide(macs, rate), record.batch, place);
}

int64_t bf16_roofline_cycles(const Machine& machine, const GemmRecord& record) {
  const char* place = "cycles of a BF16 GEMM";
  const WorkCounts work = bf16_work(record.m, record.n, record.k);
  const int64_t bytes =
      checked_add(work[Work::kMemoryLoadedBytes], work[Work::kMemoryStoredBytes], place);
  const int64_t transfer = machine.memory.duration(ceil_divide(bytes, machine.cores));
  return std::max(bf16_cycles(machine, record), checked_multiply(transfer, record.batch, place));
}

int64_t roofline_cycles(const Machine& machine, const GemmSpec& spec, int64_t steps) {
  const char* place = "bytes of a GEMM";
  const int64_t outputs = checked_multiply(spec.m, spec.n, place);
  const int64_t stored = checked_multiply(outputs, output_bytes(spec.output), place);
  const int64_t loaded =
      checked_add(a_piece_bytes(spec, spec.m, spec.k), b_piece_bytes(spec, spec.n, spec.k), place);
  const int64_t bytes = checked_add(loaded, stored, place);
  return std::max(ceil_divide(steps, machine.cores),
                  machine.memory.duration(ceil_divide(bytes, machine.cores)));
}

}  // namespace nibblecore::tb
