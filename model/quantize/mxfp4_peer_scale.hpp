// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "model/formats/mxfp4_rule.hpp"

namespace nibblecore {

/// The E8M0 code that a peer stores for a block whose largest magnitude has the FP32 bits `largest`
/// (sign 0), by the rule and its quirks.
uint8_t mxfp4_peer_scale(uint32_t largest, const Mxfp4Rule& rule);

/// The FP32 scale behind a code not NaN under Mxfp4Quirk::kFp32Scale: RNE(2^(code - 129) / 0.75).
float mxfp4_fp32_scale(uint8_t code);

}  // namespace nibblecore
