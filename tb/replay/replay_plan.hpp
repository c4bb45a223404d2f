// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "model/fill/operand_source.hpp"
#include "tb/replay/measures.hpp"
#include "tb/replay/plan_cache.hpp"
#include "tb/replay/replay_options.hpp"

namespace nibblecore::tb {

/// How a record is multiplied.
enum class Multiplication {
  kListed,   ///< not at all: it stays unquantized
  kNumbers,  ///< as numbers in FP64 (number_product.hpp)
  kBlocks,   ///< as a 4-bit GEMM
};

/// The name in reports.
std::string_view name_of(Multiplication multiplication);

/// One record of a trace and what a replay will do with it.
struct PlannedGemm {
  GemmRecord record;
  GemmTreatment treatment;  ///< without random streams
  Multiplication multiplication = Multiplication::kListed;
  GemmSpec spec{};  ///< of each product of its batch, of a 4-bit GEMM
  /// What the machine does, where the replay has cycles; programs, where the core runs them whole.
  std::shared_ptr<const GemmPlan> plan;
  Measures costs;  ///< of one call: GEMMs, multiply-accumulates, steps, cycles, work
};

/// The records that pass the filter, with their programs. InputError for whatever is wrong with
/// trace and options, so that a replay fails before it works: no record left, one without operands
/// where values are wanted, a GEMM that the machine can't run, sums that leave 64 bits.
std::vector<PlannedGemm> plan_replay(const ReplayOptions& options, const OperandSource& source);

}  // namespace nibblecore::tb
