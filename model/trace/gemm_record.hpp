// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace nibblecore {

/// Which product of a linear layer y = x W^T a GEMM computes.
enum class GemmKind {
  kFprop,  ///< y = x W^T
  kDgrad,  ///< gradient of x: dy W
  kWgrad,  ///< gradient of W: dy^T x
};

inline constexpr std::array<std::pair<GemmKind, std::string_view>, 3> kGemmKinds{{
    {GemmKind::kFprop, "fprop"},
    {GemmKind::kDgrad, "dgrad"},
    {GemmKind::kWgrad, "wgrad"},
}};

/// The name of a kind in a manifest.
constexpr std::string_view name_of(GemmKind kind) {
  return kGemmKinds[static_cast<size_t>(kind)].second;
}

/// The kind of this name, or nothing.
constexpr std::optional<GemmKind> find_gemm_kind(std::string_view name) {
  for (const auto& [kind, kind_name] : kGemmKinds) {
    if (kind_name == name) {
      return kind;
    }
  }
  return std::nullopt;
}

/// Whether an operand is stored transposed.
enum class Transpose { kNo, kYes };

/// How a linear layer of [out, in] weights stores A and B of each product.
constexpr std::pair<Transpose, Transpose> usual_transposes(GemmKind kind) {
  switch (kind) {
    case GemmKind::kFprop:
      return {Transpose::kNo, Transpose::kYes};
    case GemmKind::kDgrad:
      return {Transpose::kNo, Transpose::kNo};
    case GemmKind::kWgrad:
      return {Transpose::kYes, Transpose::kNo};
  }
  return {Transpose::kNo, Transpose::kNo};
}

/// A tensor of a trace.
struct TensorRef {
  std::string file;  ///< relative to the trace's folder; empty where a replay fills the record
  std::string tensor;
};

/// One GEMM of a trace, C[m,n] = op(A)[m,k] op(B)[k,n]: a line of `gemms.jsonl`.
struct GemmRecord {
  int64_t line = 0;  ///< in the manifest, from 1
  int64_t id = 0;
  std::string phase;  ///< rollout.prefill, rollout.decode<i>, logprob, train
  std::string layer;  ///< module path
  GemmKind kind = GemmKind::kFprop;
  int64_t m = 0;
  int64_t n = 0;
  int64_t k = 0;
  std::optional<TensorRef> a;    ///< stored [m,k], or [k,m] where transposed
  std::optional<TensorRef> b;    ///< stored [k,n], or [n,k] where transposed; present as `a` is
  std::optional<TensorRef> out;  ///< the framework's own result
  Transpose transpose_a = Transpose::kNo;
  Transpose transpose_b = Transpose::kNo;
  bool quantize = false;  ///< false: stays in the operands' own precision (lm_head, router)
  std::optional<int64_t> step;
  std::optional<int64_t> rank;
  std::optional<int64_t> expert;
  int64_t count = 1;  ///< how many identical GEMMs this record stands for
  int64_t batch = 1;  ///< independent products in one call, operands [batch, ...]

  /// Whether the trace holds operands; without them only the shape is known.
  bool has_operands() const { return a.has_value(); }
  /// Whether its operands are synthetic (model/fill), in no file.
  bool is_filled() const { return a.has_value() && a->file.empty(); }
  /// Multiply-accumulates of all products; a record read from a manifest doesn't overflow.
  int64_t macs() const { return m * n * k * batch * count; }
};

}  // namespace nibblecore
