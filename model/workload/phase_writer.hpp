// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "model/trace/gemm_record.hpp"
#include "model/workload/phase_passes.hpp"
#include "model/workload/workload.hpp"

namespace nibblecore {

/// Rows times a layer of [out, in] weights.
struct Product {
  std::string layer;
  int64_t out;
  int64_t in;
  int64_t count;
  bool quantize;
  int64_t batch = 1;
};

/// Appends the records of one phase to a workload, ids following those there, and its totals.
class PhaseWriter {
 public:
  PhaseWriter(const std::string& phase, Workload& workload);

  /// InputError where the phase's multiply-accumulates leave 64 bits.
  void add(const Product& product, GemmKind kind, int64_t rows);

  /// Appends the totals; once, last. `rows` are those of the layers.
  void finish(int64_t tokens, const RowCounts& rows, int64_t attention_macs);

 private:
  void add_macs(const GemmRecord& record);

  Workload& workload_;
  PhaseTotals totals_;
};

}  // namespace nibblecore
