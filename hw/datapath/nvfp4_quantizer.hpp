// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

#include "hw/datapath/taps.hpp"
#include "model/formats/e2m1_unit.hpp"

namespace nibblecore::hw {

/// The FP32 bits of an NVFP4 tensor's factors, registers of the quantizer that are loaded before
/// the run: values are multiplied by `encode`, decoded ones by `decode`. Neither is negative. 1 and
/// 1 by default: no tensor scale.
struct Nvfp4Factors {
  uint32_t encode = 0x3F800000;
  uint32_t decode = 0x3F800000;
};

/// The UE4M3 code of FP32 bits (sign 0): held to 448, then nearest even by guard and sticky, the
/// carry running into the exponent; 0x7F for NaN.
uint8_t round_to_ue4m3(uint32_t bits);

/// The FP32 factor of the elements under a UE4M3 scale: 1 / (scale * decode), product and quotient
/// rounded to nearest even, infinity held to the largest finite number.
uint32_t nvfp4_element_factor(uint8_t scale, uint32_t decode);

/// The E2M1 element of a scaled value: held to 6, nearest even. Bit 3 is set for numbers below
/// zero, also where they round to zero; -0 and NaN give code 0.
template <class Hooks = NoHooks>
uint8_t round_to_nvfp4_element(uint32_t scaled, Tap<Hooks> tap = {});

extern template uint8_t round_to_nvfp4_element(uint32_t, Tap<NoHooks>);
extern template uint8_t round_to_nvfp4_element(uint32_t, Tap<ProbeHooks>);

/// The NVFP4 quantizer of one block of FP32 bits (BF16 inputs arrive with 16 zero bits appended),
/// TransformerEngine's reference formula: maximum tree; times encode * (1/6), in this order; UE4M3
/// scale; element factor; 16 multipliers and element rounders. A NaN gives the NaN scale and codes
/// 0, an infinity the largest scale.
template <class Hooks = NoHooks>
Nvfp4Unit quantize_nvfp4_block(const std::array<uint32_t, 16>& values, const Nvfp4Factors& factors,
                               QuantizerTap<Hooks> tap = {});

extern template Nvfp4Unit quantize_nvfp4_block(const std::array<uint32_t, 16>&, const Nvfp4Factors&,
                                               QuantizerTap<NoHooks>);
extern template Nvfp4Unit quantize_nvfp4_block(const std::array<uint32_t, 16>&, const Nvfp4Factors&,
                                               QuantizerTap<ProbeHooks>);

}  // namespace nibblecore::hw
