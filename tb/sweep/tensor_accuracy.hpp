// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/trace/tensor_ordinals.hpp"
#include "tb/sweep/storage.hpp"
#include "tb/sweep/sweep_result.hpp"
#include "tb/sweep/tensor_inputs.hpp"

namespace nibblecore::tb {

/// What one tensor's values become under the point in `options`, residual included, and adds its
/// storage to `storage`. Values after a Hadamard transform are compared with the transformed ones;
/// pairs that are not finite are left out. The result does not depend on the number of threads.
/// InputError where the treatment does not go with the tensor.
SweepPart tensor_accuracy(const ReplayOptions& options, const TensorInput& input,
                          const TensorOrdinals& ordinals, OperandStorage& storage);

}  // namespace nibblecore::tb
