// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "model/common/random_stream.hpp"

namespace nibblecore {

/// What a workload draws; the values are part of what a seed means.
enum class WorkloadDraw : uint32_t {
  kPromptLengths = 0,
  kResponseLengths = 1,
  kExpertShares = 2,
  kExpertAcceptance = 3,  ///< the uniform numbers beside the normal ones of a Dirichlet law
  kExpertOrder = 4,
};

constexpr RandomStream workload_random(uint64_t seed, WorkloadDraw draw) {
  return {seed, Stream::kWorkload, static_cast<uint32_t>(draw)};
}

}  // namespace nibblecore
