// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <string_view>

namespace nibblecore {

/// An operator that is one product, or a batch of them, and where its operands stand.
struct GemmOperator {
  std::string_view name;        ///< in a profile
  std::string_view short_name;  ///< in counts and layer names
  int first;                    ///< argument that is A; B is the next
  int rank;                     ///< 2: [M,K] x [K,N]; 3: [batch,M,K] x [batch,K,N]
};

/// Operators that are taken (PyTorch's native_functions.yaml has their arguments).
inline constexpr std::array<GemmOperator, 9> kGemmOperators{{
    {"aten::mm", "mm", 0, 2},
    {"aten::addmm", "addmm", 1, 2},
    {"aten::addmm_", "addmm", 1, 2},
    {"aten::_addmm_activation", "_addmm_activation", 1, 2},
    {"aten::bmm", "bmm", 0, 3},
    {"aten::baddbmm", "baddbmm", 1, 3},
    {"aten::baddbmm_", "baddbmm", 1, 3},
    {"aten::_scaled_mm", "_scaled_mm", 0, 2},
    {"aten::_int_mm", "_int_mm", 0, 2},
}};

/// The operator of this name that is taken, or null.
const GemmOperator* find_gemm_operator(std::string_view name);

/// What the name of a span of a profile says that it is.
enum class NameClass {
  kGemm,      ///< one of kGemmOperators
  kWrapper,   ///< aten::linear, aten::matmul: calls a GEMM
  kGrouped,   ///< a GEMM per expert in one call
  kUnknown,   ///< looks like a GEMM by its name: quantized, custom or fused ones
  kBackward,  ///< an autograd function: MmBackward0, CheckpointFunctionBackward
  kOther,
};

/// Class of the name of an operator. The autograd engine's own span around a backward function is
/// kOther: it adds nothing.
NameClass classify_name(std::string_view name);

}  // namespace nibblecore
