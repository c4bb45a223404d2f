// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "hw/channel/payload.hpp"
#include "hw/datapath/hooks.hpp"
#include "model/machine/core_description.hpp"

namespace nibblecore::hw {

/// Multiplies every row's factor by every column's, in the macro block that a step begins in; of
/// the one behind it a column's factor is that of B alone. Widths are checked.
template <class Hooks>
void multiply_factors(const CoreDescription& core, const ScaleSlice& a, const ScaleSlice& b,
                      ScaleProducts& result, const Hooks& hooks);

extern template void multiply_factors(const CoreDescription&, const ScaleSlice&, const ScaleSlice&,
                                      ScaleProducts&, const NoHooks&);
extern template void multiply_factors(const CoreDescription&, const ScaleSlice&, const ScaleSlice&,
                                      ScaleProducts&, const ProbeHooks&);

}  // namespace nibblecore::hw
