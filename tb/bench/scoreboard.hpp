// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

namespace nibblecore::tb {

/// The first output of a GEMM in which two implementations differ.
struct Mismatch {
  int64_t row;
  int64_t column;
  uint32_t expected;
  uint32_t found;
};

/// Every output bit of two results [m, n] compared for equality.
struct Comparison {
  int64_t outputs = 0;
  int64_t mismatches = 0;
  std::optional<Mismatch> first;
};

/// Compares `found` with `expected`, row-major, `columns` an output row.
Comparison compare_bits(const std::vector<uint32_t>& expected, const std::vector<uint32_t>& found,
                        int64_t columns);

}  // namespace nibblecore::tb
