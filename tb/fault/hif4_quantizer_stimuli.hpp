// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "tb/fault/fault_stimuli.hpp"

namespace nibblecore::tb {

/// Values around the thresholds of the HiF4 quantizer, bit by bit.
void add_hif4_quantizer_stimuli(uint64_t seed, FaultStimuli& stimuli);

}  // namespace nibblecore::tb
