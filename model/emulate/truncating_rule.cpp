// SPDX-License-Identifier: Apache-2.0
#include "model/emulate/truncating_rule.hpp"

#include "model/common/error.hpp"

namespace nibblecore {

/// Let E be the largest exponent of a node; terms are multiples of 2^(E_g - u) with u = 2 fraction
/// bits under E8M0 (two halves), 8 under UE4M3 (two eighths more), or 2 of single products, whose
/// own exponents are up to 4 above their scales'. A term keeps all bits where E - F <= E_g - u, so
/// where E - E_g <= F - u; this must hold where E is another term's exponent (`spread`) and where
/// it is the accumulator's (`accumulator_ceiling`, which is 1 more as it bounds the accumulator
/// itself). An accumulator of exponent e has bits down to e - 23 and keeps them where E - e <=
/// F - 23 (`accumulator_floor`).
TruncatingRule truncating_rule(Accumulation policy, ScaleKind kind) {
  const bool is_e8m0 = kind == ScaleKind::kE8m0;
  switch (policy) {
    case Accumulation::kBlackwell:
      return {64, 16, 35, 0x1p-139, true, 0.0, true, -12, is_e8m0 ? 34 : 28, is_e8m0 ? 33 : 27};
    case Accumulation::kBlackwellV1:
      return {64,       16,    35,  0x1p-126,          false,
              0x1p-126, false, -12, is_e8m0 ? 34 : 28, is_e8m0 ? 33 : 27};
    case Accumulation::kBlackwellMxf8f6f4:
      return {32, 1, 25, 0x1p-133, true, 0.0, true, 4 - 2, 24, 0};
    case Accumulation::kFp32Rne:
    case Accumulation::kFp32Fused:
    case Accumulation::kExact:
      break;
  }
  throw InternalError("policy '" + std::string(name_of(policy)) + "' does not truncate");
}

}  // namespace nibblecore
