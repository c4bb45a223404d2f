// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

namespace nibblecore::tb {

/// What a fault did to the results of a GEMM.
struct FaultEffect {
  int64_t outputs = 0;
  int64_t changed = 0;         ///< outputs whose bits differ
  uint32_t largest_ulp = 0;    ///< among those that are numbers with and without it
  int64_t nan_mismatches = 0;  ///< outputs that are NaN in one of both
  /// Signal-to-noise ratio of the faulty results against the sound ones; none where they are equal.
  std::optional<double> decibels;
};

/// `faulty` against `sound`, FP32 bits. InternalError where they are not as many.
FaultEffect fault_effect(const std::vector<uint32_t>& sound, const std::vector<uint32_t>& faulty);

}  // namespace nibblecore::tb
