// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

#include "hw/datapath/taps.hpp"
#include "model/formats/e2m1_unit.hpp"
#include "model/formats/hif4_unit.hpp"

namespace nibblecore::hw {

/// x - Q(x) of a quantized block, element by element, as FP32 bits: Q(x) is the element decoded to
/// FP32 (infinite where 6 and 4 pass FP32's range under the two largest E8M0 codes, NaN under a NaN
/// scale), the subtraction is exact but for one rounding to nearest even. A residual that is not
/// finite makes its own block NaN when quantized.
template <class Hooks = NoHooks>
std::array<uint32_t, 32> residual(const std::array<uint32_t, 32>& values, const Mxfp4Unit& unit,
                                  QuantizerTap<Hooks> tap = {});
template <class Hooks = NoHooks>
std::array<uint32_t, 64> residual(const std::array<uint32_t, 64>& values, const Hif4Unit& unit,
                                  QuantizerTap<Hooks> tap = {});

/// The same of an NVFP4 block, whose Q(x) is code times scale (exact) times the FP32 bits `decode`,
/// rounded to nearest even. A difference that is not finite becomes NaN here, since the quantizer
/// would saturate an infinity.
template <class Hooks = NoHooks>
std::array<uint32_t, 16> residual(const std::array<uint32_t, 16>& values, const Nvfp4Unit& unit,
                                  uint32_t decode, QuantizerTap<Hooks> tap = {});

extern template std::array<uint32_t, 32> residual(const std::array<uint32_t, 32>&, const Mxfp4Unit&,
                                                  QuantizerTap<NoHooks>);
extern template std::array<uint32_t, 32> residual(const std::array<uint32_t, 32>&, const Mxfp4Unit&,
                                                  QuantizerTap<ProbeHooks>);
extern template std::array<uint32_t, 64> residual(const std::array<uint32_t, 64>&, const Hif4Unit&,
                                                  QuantizerTap<NoHooks>);
extern template std::array<uint32_t, 64> residual(const std::array<uint32_t, 64>&, const Hif4Unit&,
                                                  QuantizerTap<ProbeHooks>);
extern template std::array<uint32_t, 16> residual(const std::array<uint32_t, 16>&, const Nvfp4Unit&,
                                                  uint32_t, QuantizerTap<NoHooks>);
extern template std::array<uint32_t, 16> residual(const std::array<uint32_t, 16>&, const Nvfp4Unit&,
                                                  uint32_t, QuantizerTap<ProbeHooks>);

}  // namespace nibblecore::hw
