// SPDX-License-Identifier: Apache-2.0
#include "model/import/backward_kind.hpp"

#include <utility>

#include <gtest/gtest.h>

namespace nibblecore {
namespace {

using Fit = std::pair<bool, bool>;

// Of forward [tokens,in] x [in,out] the backward product m, n, k: may be dgrad, may be wgrad.
Fit fit(int64_t tokens, int64_t in, int64_t out, const GemmShape& backward, int rank = 2) {
  const KindFit result = fitting_kinds({tokens, out, in, backward.batch}, backward, rank);
  EXPECT_EQ(result.any(), result.dgrad || result.wgrad);
  EXPECT_EQ(result.both(), result.dgrad && result.wgrad);
  return {result.dgrad, result.wgrad};
}

TEST(BackwardKind, LinearLayer) {
  EXPECT_EQ(fit(7, 3, 5, {7, 3, 5}), Fit(true, false));
  EXPECT_EQ(fit(7, 3, 5, {5, 3, 7}), Fit(false, true));
  EXPECT_EQ(fit(7, 3, 5, {7, 5, 3}), Fit(false, false));
}

TEST(BackwardKind, OtherLayouts) {
  EXPECT_EQ(fit(7, 3, 5, {3, 5, 7}), Fit(false, true)) << "Conv1D's wgrad";
  EXPECT_EQ(fit(7, 3, 5, {3, 7, 5}), Fit(true, false)) << "dgrad, transposed";
}

TEST(BackwardKind, TokensEqualToInputsAreNoQuestion) {
  EXPECT_EQ(fit(4, 4, 5, {4, 4, 5}), Fit(true, false));
  EXPECT_EQ(fit(4, 4, 5, {5, 4, 4}), Fit(false, true));
}

TEST(BackwardKind, TokensEqualToOutputsAre) {
  EXPECT_EQ(fit(4, 3, 4, {4, 3, 4}), Fit(true, true));
  EXPECT_EQ(fit(4, 3, 4, {3, 4, 4}), Fit(true, true));
}

TEST(BackwardKind, BatchedProducts) {
  EXPECT_EQ(fit(4, 3, 4, {4, 3, 4, 8}, 3), Fit(true, false));
  EXPECT_EQ(fit(4, 3, 4, {3, 4, 4, 8}, 3), Fit(false, true));
  EXPECT_EQ(fit(4, 4, 4, {4, 4, 4, 8}, 3), Fit(true, true));
  const KindFit other_batch = fitting_kinds({7, 5, 3, 2}, {7, 3, 5, 4}, 3);
  EXPECT_FALSE(other_batch.any());
}

TEST(BackwardKind, ByOperands) {
  ProfiledGemm forward;
  ProfiledGemm backward;
  const TensorIdentity x{1, 0, 8};
  const TensorIdentity w{2, 0, 8};
  const TensorIdentity dy{3, 0, 8};
  EXPECT_EQ(kind_by_operands(forward, backward), std::nullopt);
  forward.operands = {{x, w}};
  EXPECT_EQ(kind_by_operands(forward, backward), std::nullopt);
  backward.operands = {{dy, w}};
  EXPECT_EQ(kind_by_operands(forward, backward), GemmKind::kDgrad);
  backward.operands = {{dy, x}};
  EXPECT_EQ(kind_by_operands(forward, backward), GemmKind::kWgrad);
  backward.operands = {{x, dy}};
  EXPECT_EQ(kind_by_operands(forward, backward), GemmKind::kWgrad);
  backward.operands = {{x, w}};
  EXPECT_EQ(kind_by_operands(forward, backward), std::nullopt);
  backward.operands = {{dy, TensorIdentity{1, 8, 8}}};
  EXPECT_EQ(kind_by_operands(forward, backward), std::nullopt);
}

TEST(BackwardKind, ByStrides) {
  ProfiledGemm backward;
  EXPECT_EQ(kind_by_strides(backward), std::nullopt);
  backward.storage.front() = Storage::kTransposed;
  EXPECT_EQ(kind_by_strides(backward), GemmKind::kWgrad);
  backward.storage.front() = Storage::kRows;
  EXPECT_EQ(kind_by_strides(backward), GemmKind::kDgrad);
}

TEST(BackwardKind, ByOrder) {
  EXPECT_EQ(kind_by_order("AddmmBackward0", 0, 2), GemmKind::kDgrad);
  EXPECT_EQ(kind_by_order("AddmmBackward0", 1, 2), GemmKind::kWgrad);
  EXPECT_EQ(kind_by_order("MmBackward0", 0, 2), GemmKind::kWgrad);
  EXPECT_EQ(kind_by_order("BmmBackward0", 1, 2), GemmKind::kDgrad);
  EXPECT_EQ(kind_by_order("AddmmBackward0", 0, 1), GemmKind::kWgrad);
  EXPECT_EQ(kind_by_order("MyBackward", 0, 3), GemmKind::kDgrad);
}

}  // namespace
}  // namespace nibblecore
