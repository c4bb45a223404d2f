// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/formats/mxfp4_rule.hpp"
#include "model/quantize/block_values.hpp"

namespace nibblecore {

/// quantize_mxfp4_block for a rule with quirks: what the peer stores, and what it decodes. An
/// element that is no E2M1 value there (NaN) has code 0.
void quantize_mxfp4_peer_block(const BlockValues& block, int size, const Mxfp4Rule& rule,
                               const BlockCodes& result);

}  // namespace nibblecore
