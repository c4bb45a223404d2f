// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "model/import/skip_reason.hpp"
#include "model/trace/gemm_record.hpp"

namespace nibblecore {

/// What an import took from a file and what it left. All are numbers of operators (of rows in a CSV
/// file), before records are merged.
struct ImportCounts {
  int64_t taken = 0;
  std::map<std::string, int64_t> by_operator;  ///< "mm", "addmm", ...; "row" in a CSV file
  std::map<GemmKind, int64_t> by_kind;
  std::map<std::string, int64_t> by_phase;

  /// GEMMs called by a backward function, of those taken, by operator.
  std::map<std::string, int64_t> backward;
  std::map<std::string, int64_t> linked;  ///< of these, with their forward GEMM in the file
  int64_t ambiguous = 0;                  ///< whose shape fits dgrad and wgrad, or is not linked
  int64_t settled_by_operands = 0;  ///< of the ambiguous, told by operands shared with the forward
  int64_t settled_by_strides = 0;   ///< told by which operand is stored transposed
  int64_t settled_by_order = 0;     ///< told by their order in the backward function: a guess

  std::map<SkipReason, int64_t> skipped;
  /// Names of operators that look like a GEMM and are not known; those beyond the first 32 names
  /// are counted in `skipped` alone.
  std::map<std::string, int64_t> unknown_operators;

  void skip(SkipReason reason) { ++skipped[reason]; }
  void skip_unknown(std::string_view name);
  int64_t all_skipped() const;
};

}  // namespace nibblecore
