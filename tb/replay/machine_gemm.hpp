// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "model/formats/matrix_view.hpp"
#include "model/machine/gemm_spec.hpp"
#include "model/machine/partition.hpp"
#include "model/trace/gemm_record.hpp"
#include "tb/replay/replay_options.hpp"

namespace nibblecore::tb {

/// Types of both operands in the trace.
struct OperandTypes {
  // What frameworks train in; it counts for records without operands.
  ValueType a = ValueType::kBf16;
  ValueType b = ValueType::kBf16;
};

/// One product of a record, of two packed operands, as the machine's cores see it. InputError where
/// the policy has no arithmetic for what the treatment says, or the replay has cycles and the core
/// can't do it.
GemmSpec gemm_spec(const ReplayOptions& options, const GemmRecord& record,
                   const OperandTypes& types, const GemmTreatment& treatment);

/// Cycles of the record's products on the machine's BF16 units, at their full rate on all cores:
/// ceil(M * N * K / (bf16_macs_per_cycle * cores)) each.
int64_t bf16_cycles(const Machine& machine, const GemmRecord& record);

/// The least that a BF16 GEMM can take with this machine's memory: its cycles at that rate, or
/// those in which all cores' shares of the memory together move both operands and the result once,
/// whichever are more.
int64_t bf16_roofline_cycles(const Machine& machine, const GemmRecord& record);

/// Cycles that no schedule of one product goes below: `steps` of the arrays spread over all cores,
/// or both operands and the result once through the memory of all cores, whichever is longer.
int64_t roofline_cycles(const Machine& machine, const GemmSpec& spec, int64_t steps);

}  // namespace nibblecore::tb
