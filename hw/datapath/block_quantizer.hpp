// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <variant>

#include "hw/channel/quantizer_payload.hpp"
#include "hw/datapath/nvfp4_quantizer.hpp"
#include "hw/datapath/taps.hpp"
#include "model/formats/preset.hpp"
#include "model/formats/residual.hpp"

namespace nibblecore::hw {

/// What the online quantizer does with the blocks of a GEMM's operand (quantizer_job.hpp makes one
/// of a preset).
struct QuantizerJob {
  std::variant<Mxfp4Rule, Hif4Rule, Nvfp4Factors> rule;
  /// Under kChannel50 and kBlock32x64At50 blocks bring their part of the mask along: both need all
  /// rows, so they are found before the run.
  ResidualPattern residual = ResidualPattern::kNone;

  /// Values of a block: 32, 64 or 16.
  int block() const;
};

/// The combinational path of the quantizer unit: quantize the block; where the job has a residual,
/// subtract the decoded block from its values, quantize the differences by the same rule and select
/// from the codes: all of them, two of every four, or those in the block's mask, others becoming
/// code 0 under a scale that stays. InternalError for a mask under a pattern that has none.
///
/// `tap` is that of the operand's quantizer, not the one behind it.
template <class Hooks = NoHooks>
QuantizedBlock quantize_block(const UnquantizedBlock& block, const QuantizerJob& job,
                              QuantizerTap<Hooks> tap = {});

extern template QuantizedBlock quantize_block(const UnquantizedBlock&, const QuantizerJob&,
                                              QuantizerTap<NoHooks>);
extern template QuantizedBlock quantize_block(const UnquantizedBlock&, const QuantizerJob&,
                                              QuantizerTap<ProbeHooks>);

}  // namespace nibblecore::hw
