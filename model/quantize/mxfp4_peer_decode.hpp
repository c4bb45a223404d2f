// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "model/formats/mxfp4_rule.hpp"

namespace nibblecore {

/// The FP32 value that a peer with these quirks decodes from an E2M1 code under an E8M0 code.
float mxfp4_peer_decode(uint8_t code, uint8_t scale, Mxfp4Quirks quirks);

}  // namespace nibblecore
