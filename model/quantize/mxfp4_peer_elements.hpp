// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "model/formats/mxfp4_rule.hpp"

namespace nibblecore {

/// The E2M1 codes that a peer makes of `size` values under the E8M0 code `scale`, by the rounding
/// and its quirks; zeros have the sign that they decode to.
void mxfp4_peer_codes(const float* values, int size, uint8_t scale, const Mxfp4Rule& rule,
                      uint8_t* codes);

}  // namespace nibblecore
