// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/emulate/emulator_target.hpp"
#include "model/emulate/quantize_span.hpp"
#include "model/formats/mxfp4_rule.hpp"

namespace nibblecore {

/// Whether quantize_mxfp4_span has the rule: those of a power of two from the largest magnitude
/// (kExponentRules), deterministic roundings, no departures of a peer.
bool has_mxfp4_quantizer(const Mxfp4Rule& rule);

/// Quantizes blocks of 32 by the exact rules of OCP MX v1.0 and its kin: the code of the scale is
/// the exponent of the largest magnitude, rounded by the rule, minus 2; elements are divided by the
/// scale exactly and rounded once. A block with NaN or infinity has the NaN scale and the rule's
/// code for it.
void quantize_mxfp4_span(const QuantizeSpan& span, const Mxfp4Rule& rule, EmulatorTarget target);

}  // namespace nibblecore
