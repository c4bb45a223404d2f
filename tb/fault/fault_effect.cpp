// SPDX-License-Identifier: Apache-2.0
#include "tb/fault/fault_effect.hpp"

#include <algorithm>

#include "model/analysis/signal_to_noise.hpp"
#include "model/analysis/ulp.hpp"
#include "model/common/bits.hpp"
#include "model/common/error.hpp"

namespace nibblecore::tb {

FaultEffect fault_effect(const std::vector<uint32_t>& sound, const std::vector<uint32_t>& faulty) {
  if (sound.size() != faulty.size()) {
    throw InternalError("results with and without a fault are not as many");
  }
  FaultEffect effect;
  SignalToNoise ratio;
  effect.outputs = static_cast<int64_t>(sound.size());
  for (size_t i = 0; i < sound.size(); ++i) {
    effect.changed += sound[i] != faulty[i] ? 1 : 0;
    if (const std::optional<uint32_t> distance = ulp_distance(sound[i], faulty[i])) {
      effect.largest_ulp = std::max(effect.largest_ulp, *distance);
    } else {
      ++effect.nan_mismatches;
    }
    ratio.add(bits_float(sound[i]), bits_float(faulty[i]));
  }
  effect.decibels = ratio.decibels();
  return effect;
}

}  // namespace nibblecore::tb
