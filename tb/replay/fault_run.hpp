// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "model/machine/partition.hpp"
#include "tb/fault/fault.hpp"
#include "tb/fault/fault_effect.hpp"
#include "tb/replay/packed_product.hpp"

namespace nibblecore::tb {

/// What a fault in the core did to one product.
struct FaultRun {
  int64_t changed_values = 0;         ///< that the fault changed on its bus
  std::optional<FaultEffect> effect;  ///< on the results; none where the run was ended
  std::string ended_by;               ///< the check of the core that ended it, if one did
};

/// InputError unless the fault can be put into a core of this machine that computes this partition.
void require_fault(const Fault& fault, const Partition& partition);

/// Computes a product again on the probed core with `fault` in it, for the first core's share; the
/// other shares are sound. `sound` [m, n]: the results without. Runs in a simulation of its own.
FaultRun run_with_fault(const Fault& fault, const Partition& partition,
                        const PackedProduct& product, const std::vector<uint32_t>& sound);

}  // namespace nibblecore::tb
