// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "model/analysis/scale_sweep.hpp"
#include "model/synthetic/synthetic_tensor.hpp"
#include "tb/claims/claim.hpp"
#include "tb/claims/operand_groups.hpp"

namespace nibblecore::tb {

/// What claims are computed from.
struct ClaimInputs {
  int64_t values = int64_t{1} << 21;  ///< of each synthetic tensor (phased_set_up)
  uint64_t seed = 1;
  int threads = 0;  ///< 0: one per processor; figures don't depend on it
  /// Operands of a trace, or none.
  std::vector<OperandGroup> groups;
};

/// Four standard deviations of a figure whose standard deviation over seeds is `deviation` at 2^21
/// values.
double sampling_tolerance(const ClaimInputs& inputs, double deviation);

/// The set-up of the published figures: values of a law, with a random octave phase for each block
/// of 32 (or of `phase_length`).
SyntheticTensor phased_tensor(const ClaimInputs& inputs, const Law& law, int64_t phase_length);

/// Errors of a law's values under each choice, each block weighed alike.
std::vector<ScaleErrorSums> law_errors(const ClaimInputs& inputs, const Law& law,
                                       const std::vector<ScaleChoice>& choices);

/// Errors of a group's operands in blocks of 32 along K, each operand weighed alike.
std::vector<ScaleErrorSums> group_errors(const ClaimInputs& inputs, const OperandGroup& group,
                                         const std::vector<ScaleChoice>& choices);

}  // namespace nibblecore::tb
