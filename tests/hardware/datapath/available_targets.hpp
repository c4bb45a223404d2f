// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <iterator>
#include <vector>

#include "hw/datapath/simd_target.hpp"

namespace nibblecore::test {

/// Every target that can run here, the baseline first.
inline std::vector<hw::SimdTarget> available_targets() {
  std::vector<hw::SimdTarget> targets;
  std::copy_if(hw::kSimdTargets.begin(), hw::kSimdTargets.end(), std::back_inserter(targets),
               hw::is_available);
  return targets;
}

}  // namespace nibblecore::test
