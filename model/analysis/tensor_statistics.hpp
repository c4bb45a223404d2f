// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "model/analysis/blocked_rows.hpp"
#include "model/analysis/moments.hpp"

namespace nibblecore {

/// What a tensor's values are like, whatever becomes of them.
struct TensorStatistics {
  int64_t elements = 0;
  int64_t zeros = 0;
  int64_t non_finite = 0;  ///< NaN and infinities; no other figure counts them
  double amax = 0;         ///< largest magnitude
  Moments moments;         ///< of the finite values; kurtosis: see there

  TensorStatistics& operator+=(const TensorStatistics& other);

  double rms() const;
  /// amax / rms; 0 where all is 0.
  double peak_to_rms() const;
};

/// On up to `threads` threads (0: one per processor); the result does not depend on their number.
TensorStatistics tensor_statistics(const BlockedRows& tensor, int threads);
TensorStatistics tensor_statistics(const MatrixView& matrix, int threads);

}  // namespace nibblecore
