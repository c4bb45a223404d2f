// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

#include "hw/datapath/taps.hpp"
#include "model/formats/e2m1_unit.hpp"
#include "model/formats/preset.hpp"

namespace nibblecore::hw {

/// The E8M0 code of a block whose largest magnitude has these FP32 bits (sign 0): the exponent
/// field less 2, plus the carry that `rule` derives from the fraction, not below 0. FP32
/// subnormals and zero give 0, infinity and NaN 0xFF.
uint8_t mxfp4_scale_code(uint32_t largest, ScaleRule rule);

/// The MXFP4 quantizer of one block of FP32 bits (BF16 inputs arrive with 16 zero bits appended):
/// maximum tree, scale, 32 element rounders. A NaN or infinity gives the NaN scale and
/// `rule.code_under_nan` everywhere.
template <class Hooks = NoHooks>
Mxfp4Unit quantize_mxfp4_block(const std::array<uint32_t, 32>& values, const Mxfp4Rule& rule,
                               QuantizerTap<Hooks> tap = {});

extern template Mxfp4Unit quantize_mxfp4_block(const std::array<uint32_t, 32>&, const Mxfp4Rule&,
                                               QuantizerTap<NoHooks>);
extern template Mxfp4Unit quantize_mxfp4_block(const std::array<uint32_t, 32>&, const Mxfp4Rule&,
                                               QuantizerTap<ProbeHooks>);

}  // namespace nibblecore::hw
