// SPDX-License-Identifier: Apache-2.0
#include "model/import/backward_kind.hpp"

namespace nibblecore {
namespace {

bool is(const GemmShape& shape, int64_t m, int64_t n, int64_t k) {
  return shape.m == m && shape.n == n && shape.k == k;
}

bool starts_with(std::string_view text, std::string_view prefix) {
  return text.substr(0, prefix.size()) == prefix;
}

}  // namespace

KindFit fitting_kinds(const GemmShape& forward, const GemmShape& backward, int rank) {
  const int64_t tokens = forward.m;
  const int64_t in = forward.k;
  const int64_t out = forward.n;
  if (forward.batch != backward.batch) {
    return {};
  }
  if (rank == 3) {
    return {is(backward, tokens, in, out), is(backward, in, out, tokens)};
  }
  return {is(backward, tokens, in, out) || is(backward, in, tokens, out),
          is(backward, out, in, tokens) || is(backward, in, out, tokens)};
}

std::optional<GemmKind> kind_by_operands(const ProfiledGemm& forward,
                                         const ProfiledGemm& backward) {
  if (!forward.operands || !backward.operands) {
    return std::nullopt;
  }
  bool has_x = false;
  bool has_w = false;
  for (const TensorIdentity& operand : *backward.operands) {
    has_x = has_x || operand == forward.operands->front();
    has_w = has_w || operand == forward.operands->back();
  }
  if (has_x == has_w) {
    return std::nullopt;
  }
  return has_x ? GemmKind::kWgrad : GemmKind::kDgrad;
}

std::optional<GemmKind> kind_by_strides(const ProfiledGemm& backward) {
  switch (backward.storage.front()) {
    case Storage::kTransposed:
      return GemmKind::kWgrad;
    case Storage::kRows:
      return GemmKind::kDgrad;
    case Storage::kUnknown:
      break;
  }
  return std::nullopt;
}

GemmKind kind_by_order(std::string_view function, int position, int calls) {
  if (calls == 1) {
    return GemmKind::kWgrad;
  }
  const bool wgrad_first =
      starts_with(function, "MmBackward") || starts_with(function, "BmmBackward");
  return (position == 0) == wgrad_first ? GemmKind::kWgrad : GemmKind::kDgrad;
}

}  // namespace nibblecore
