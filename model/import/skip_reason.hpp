// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <string_view>
#include <utility>

namespace nibblecore {

/// Why an operator of a profile became no record.
enum class SkipReason {
  kWrapper,
  kEmptyWrapper,
  kNoShapes,
  kGrouped,
  kUnknownOperator,
  kBadShapes,
  kEmptyProduct,
  kNotComplete,
  kNoTime,
};

inline constexpr std::array<std::pair<SkipReason, std::string_view>, 9> kSkipReasons{{
    {SkipReason::kWrapper, "wrapper: the GEMM nested in it is taken or counted itself"},
    {SkipReason::kEmptyWrapper, "wrapper without a GEMM nested in it"},
    {SkipReason::kNoShapes, "no shapes recorded"},
    {SkipReason::kGrouped, "grouped: rows per expert not recorded"},
    {SkipReason::kUnknownOperator, "unknown operator that looks like a GEMM"},
    {SkipReason::kBadShapes, "bad shapes: not those of a product"},
    {SkipReason::kEmptyProduct, "empty product: a dimension is 0"},
    {SkipReason::kNotComplete, "not a complete event (\"ph\" is not \"X\")"},
    {SkipReason::kNoTime, "no start or no duration"},
}};

constexpr std::string_view text_of(SkipReason reason) {
  return kSkipReasons[static_cast<size_t>(reason)].second;
}

}  // namespace nibblecore
