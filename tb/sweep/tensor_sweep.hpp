// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tb/sweep/sweep_options.hpp"
#include "tb/sweep/sweep_result.hpp"

namespace nibblecore::tb {

/// The accuracy of a file's tensors at every grid point; there are no cycles. Every tensor gets the
/// point's residual. A combination that does not go with a tensor is skipped with the reason.
/// InputError for whatever is wrong with the file, the filter or the axes, schemes among them.
SweepResult sweep_tensors(const SweepOptions& options);

}  // namespace nibblecore::tb
