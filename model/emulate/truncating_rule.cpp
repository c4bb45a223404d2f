// SPDX-License-Identifier: Apache-2.0
#include "model/emulate/truncating_rule.hpp"

#include <string>

#include "model/common/error.hpp"

namespace nibblecore {

/// Let E be the largest exponent of a node; terms are multiples of 2^(E_g - u) with u = 2 fraction
/// bits under E8M0 (two halves), 8 under UE4M3 (two eighths more), or 2 of single products, whose
/// own exponents are up to 4 above their scales'. A term keeps all bits where E - F <= E_g - u, so
/// where E - E_g <= F - u; this must hold where E is another term's exponent (`spread`) and where
/// it is the accumulator's (`bounds.ceiling`, 1 more since it bounds the accumulator itself). An
/// accumulator of exponent e has bits down to e - 23 and keeps them where E - e <= F - 23
/// (`bounds.floor`).
TruncatingRule truncating_rule(Accumulation policy, ScaleKind kind) {
  const int spread = 35 - (kind == ScaleKind::kE8m0 ? 2 : 8);
  const BoundsRule bounds{23 - 35, spread + 1};
  switch (policy) {
    case Accumulation::kBlackwell:
      return {64, 16, 35, 0x1p-139, true, 0.0, true, bounds, spread};
    case Accumulation::kBlackwellV1:
      return {64, 16, 35, 0x1p-126, false, 0x1p-126, false, bounds, spread};
    case Accumulation::kBlackwellMxf8f6f4:
      return {32, 1, 25, 0x1p-133, true, 0.0, true, {4 + 23 - 25, 25 - 2 + 1}, 0};
    case Accumulation::kFp32Rne:
    case Accumulation::kFp32Fused:
    case Accumulation::kExact:
      break;
  }
  throw InternalError("policy '" + std::string(name_of(policy)) + "' does not truncate");
}

}  // namespace nibblecore
