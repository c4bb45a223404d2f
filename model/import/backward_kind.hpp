// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "model/import/profiled_gemm.hpp"

namespace nibblecore {

/// Which gradients a backward GEMM can be, by its shape alone.
struct KindFit {
  bool dgrad = false;
  bool wgrad = false;

  bool any() const { return dgrad || wgrad; }
  bool both() const { return dgrad && wgrad; }
};

/// Which gradients of the forward product [T,in] x [in,out] a product of shape `backward` can be.
/// PyTorch derives dgrad as dY W^T (or W dY^T, where X is stored transposed), wgrad as dY^T X where
/// the weights are stored [out, in] (nn.Linear) and as X^T dY where [in, out] (GPT-2's Conv1D); of
/// batched products dgrad is dY B^T and wgrad A^T dY. Only T = out leaves a choice.
KindFit fitting_kinds(const GemmShape& forward, const GemmShape& backward, int rank);

/// The kind of a backward GEMM that shares exactly one operand with its forward GEMM: X makes it
/// wgrad, W dgrad.
std::optional<GemmKind> kind_by_operands(const ProfiledGemm& forward, const ProfiledGemm& backward);

/// By the strides of its first operand: dY^T and X^T are transposed, dY is not.
std::optional<GemmKind> kind_by_strides(const ProfiledGemm& backward);

/// By its position among the GEMMs of one call of its function: PyTorch computes gradients in the
/// order of their arguments' names, so mat1 before mat2 in addmm, but mat2 before self in mm and
/// bmm. A lone one is taken for wgrad.
GemmKind kind_by_order(std::string_view function, int position, int calls);

}  // namespace nibblecore
