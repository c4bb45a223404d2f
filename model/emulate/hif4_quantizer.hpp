// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/emulate/emulator_target.hpp"
#include "model/emulate/quantize_span.hpp"
#include "model/formats/hif4_rule.hpp"

namespace nibblecore {

/// Whether quantize_hif4_span has the rule: those of the presets `amct` and `model_a6_rne`.
bool has_hif4_quantizer(const Hif4Rule& rule);

/// Quantizes units of 64 by arXiv 2602.11287, Algorithm 1, as the rule makes it exact. Values that
/// are not finite count as 0 and make the unit's E6M2 code NaN.
void quantize_hif4_span(const QuantizeSpan& span, const Hif4Rule& rule, EmulatorTarget target);

}  // namespace nibblecore
