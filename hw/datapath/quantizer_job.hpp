// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "hw/datapath/block_quantizer.hpp"
#include "model/formats/preset.hpp"
#include "model/formats/residual.hpp"

namespace nibblecore::hw {

/// Whether the online quantizer does what this preset says. The quantizers of other libraries, with
/// their quirks, and rules that no circuit was made for are the golden quantizer's alone.
bool has_circuit(const Preset& preset);

/// The online quantizer's job for an operand of this preset; `factors` count for NVFP4 alone.
///
/// InputError, naming the preset, where the circuit does not do it: a block length or scale other
/// than MXFP4's, HiF4's or NVFP4's own; such an operand has to come packed. InternalError for NVFP4
/// factors that are neither both positive numbers nor both NaN.
QuantizerJob quantizer_job(const Preset& preset, ResidualPattern residual,
                           const Nvfp4Factors& factors);

}  // namespace nibblecore::hw
