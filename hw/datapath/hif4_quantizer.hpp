// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

#include "hw/datapath/taps.hpp"
#include "model/formats/hif4_unit.hpp"
#include "model/formats/preset.hpp"

namespace nibblecore::hw {

/// The E6M2 code of a unit whose largest magnitude has these finite FP32 bits (sign 0): times 1/7
/// in BF16 (0x3E12), rounded to FP32, to BF16 and to two mantissa bits, each to nearest even, the
/// carry running into the exponent; held within 0..0xFE.
uint8_t hif4_scale_code(uint32_t largest);

/// 1/X of an E6M2 code (not NaN) as BF16 bits: a table of four mantissas, an exponent subtraction.
uint16_t hif4_reciprocal(uint8_t code);

/// The S1P2 element of `scaled` * 2^-`shift` (FP32 bits of a finite magnitude): quarters 0..7,
/// rounded by guard and sticky, saturating.
template <class Hooks = NoHooks>
uint8_t round_to_quarters(uint32_t scaled, int32_t shift, Rounding rounding, Tap<Hooks> tap = {});

extern template uint8_t round_to_quarters(uint32_t, int32_t, Rounding, Tap<NoHooks>);
extern template uint8_t round_to_quarters(uint32_t, int32_t, Rounding, Tap<ProbeHooks>);

/// The HiF4 quantizer of one unit of FP32 bits (BF16 inputs arrive with 16 zero bits appended):
/// arXiv 2602.11287, Algorithm 1. Maxima of 4, 8 and 64; level-1 scale; micro-exponents by
/// comparing group maximum times reciprocal with 4 and with 2 (4 under a set level-2 bit); 64
/// element rounders. Inputs that are not finite (also after rounding to BF16) count as +0 and make
/// the E6M2 code 0xFF. `rule.zero_sign` looks at inputs after rounding to `rule.input`.
template <class Hooks = NoHooks>
Hif4Unit quantize_hif4_block(const std::array<uint32_t, 64>& values, const Hif4Rule& rule,
                             QuantizerTap<Hooks> tap = {});

extern template Hif4Unit quantize_hif4_block(const std::array<uint32_t, 64>&, const Hif4Rule&,
                                             QuantizerTap<NoHooks>);
extern template Hif4Unit quantize_hif4_block(const std::array<uint32_t, 64>&, const Hif4Rule&,
                                             QuantizerTap<ProbeHooks>);

}  // namespace nibblecore::hw
