// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "model/common/checked.hpp"
#include "model/workload/attention_lengths.hpp"

namespace nibblecore {

/// How many passes have how many rows.
using RowCounts = std::map<int64_t, int64_t>;

/// The forward passes of one phase through the model, as one rank runs them.
struct PhasePasses {
  std::string phase;
  int64_t tokens = 0;     ///< without padding
  RowCounts rows;         ///< of the layers, padded
  RowCounts head_rows;    ///< of the head
  RowCounts routed_rows;  ///< that choose among the experts of the rank and of those it shares with
  AttentionLengths attention;
};

/// Sum of rows over all passes.
inline int64_t total_rows(const RowCounts& counts) {
  int64_t total = 0;
  for (const auto& [rows, passes] : counts) {
    total =
        checked_add(total, checked_multiply(rows, passes, "rows of a phase"), "rows of a phase");
  }
  return total;
}

}  // namespace nibblecore
