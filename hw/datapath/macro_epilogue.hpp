// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "hw/datapath/fp16_factor.hpp"
#include "hw/datapath/fp32_fma.hpp"
#include "model/formats/macro_scales.hpp"

namespace nibblecore::hw {

/// The circuit that takes the sum of a macro block into an accumulator: sum * factor + accumulator
/// with one rounding, or with one behind the multiplier too. `factor` is positive. An exact zero is
/// +0, unless both addends are -0; a NaN, and infinities of opposite signs, give `nan`.
template <class Hooks>
uint32_t macro_epilogue(MacroEpilogue epilogue, uint32_t sum, const FactorFields& factor,
                        uint32_t accumulator, const FmaTap<Hooks>& tap, uint32_t nan = kQuietNan);

extern template uint32_t macro_epilogue(MacroEpilogue, uint32_t, const FactorFields&, uint32_t,
                                        const FmaTap<NoHooks>&, uint32_t);
extern template uint32_t macro_epilogue(MacroEpilogue, uint32_t, const FactorFields&, uint32_t,
                                        const FmaTap<ProbeHooks>&, uint32_t);

/// The same without hooks.
inline uint32_t macro_epilogue(MacroEpilogue epilogue, uint32_t sum, const FactorFields& factor,
                               uint32_t accumulator) {
  return macro_epilogue(epilogue, sum, factor, accumulator,
                        FmaTap<NoHooks>({}, Site::kEpilogueProduct));
}

}  // namespace nibblecore::hw
