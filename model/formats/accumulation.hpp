// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <string_view>

namespace nibblecore {

/// How block values are summed into the FP32 result; K ascends in all of them.
enum class Accumulation {
  kFp32Rne,    ///< one rounding (nearest even) after every scale block
  kFp32Fused,  ///< the blocks of each 64 of K and the accumulator added exactly, rounded once
  kExact,      ///< the whole K sum, rounded once
};

struct AccumulationRecord {
  std::string_view name;
  Accumulation accumulation;
  std::string_view meaning;
};

inline constexpr std::array<AccumulationRecord, 3> kAccumulations{{
    {"fp32-rne", Accumulation::kFp32Rne,
     "accumulator = RNE_FP32(accumulator + exact block dot), block after block"},
    {"fp32-fused", Accumulation::kFp32Fused,
     "the blocks of each 64 of K and the accumulator added exactly, one RNE"},
    {"exact", Accumulation::kExact, "the whole K sum exactly, one RNE"},
}};

/// Width in K of one fused addition; numeric, independent of any machine's depth.
inline constexpr int kFusedWidth = 64;

/// The policy of this name; InputError naming the known ones otherwise.
Accumulation accumulation(std::string_view name);

/// The name of a policy.
std::string_view name_of(Accumulation accumulation);

}  // namespace nibblecore
