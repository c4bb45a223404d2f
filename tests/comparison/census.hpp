// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "model/emulate/emulator_target.hpp"
#include "model/formats/accumulation.hpp"

namespace nibblecore::comparison {

/// What was compared under one policy.
struct Census {
  int64_t outputs = 0;
  int64_t k_sum = 0;  ///< of K over outputs
  std::array<int64_t, kEmulatorTargets.size()> of_target{};
  int64_t in_bf16 = 0;  ///< in BF16 tiles
  int64_t nan = 0;
  int64_t infinite = 0;
  int64_t subnormal = 0;
  int64_t plus_zero = 0;
  int64_t minus_zero = 0;
  int64_t alignment_losses = 0;
  int64_t result_losses = 0;
  int64_t mismatches = 0;

  void count(uint32_t golden, uint8_t truncation);
  void add(const Census& other);
  double mean_k() const {
    return outputs == 0 ? 0 : static_cast<double>(k_sum) / static_cast<double>(outputs);
  }
  /// Kinds of results that should have occurred among so many and did not.
  std::vector<std::string> missing(Accumulation policy) const;
};

}  // namespace nibblecore::comparison
