// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "tb/fault/fault_stimuli.hpp"

namespace nibblecore::tb {

/// Values around the thresholds of the MXFP4 quantizer, bit by bit.
void add_mxfp4_quantizer_stimuli(uint64_t seed, FaultStimuli& stimuli);

}  // namespace nibblecore::tb
