// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <variant>

#include "hw/channel/quantizer_payload.hpp"
#include "model/formats/preset.hpp"
#include "model/formats/residual.hpp"

namespace nibblecore::hw {

/// What the online quantizer does with the blocks of a GEMM's operand.
struct QuantizerJob {
  std::variant<Mxfp4Rule, Hif4Rule> rule;
  /// kNone, kDense or kTwoOfFour; masks over whole columns or tiles need all rows and are applied
  /// to the dense residual elsewhere.
  ResidualPattern residual = ResidualPattern::kNone;

  /// Values of a block: 32 or 64.
  int block() const { return std::holds_alternative<Mxfp4Rule>(rule) ? 32 : 64; }
};

/// The combinational path of the quantizer unit: quantize the block; where the job has a residual,
/// subtract the decoded block from its values, quantize the differences by the same rule and, for
/// 2:4, keep two of every four codes. InternalError for other residual patterns.
QuantizedBlock quantize_block(const UnquantizedBlock& block, const QuantizerJob& job);

}  // namespace nibblecore::hw
