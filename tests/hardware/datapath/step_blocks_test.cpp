// SPDX-License-Identifier: Apache-2.0
#include "hw/datapath/step_blocks.hpp"

#include <gtest/gtest.h>

#include "model/common/error.hpp"
#include "tests/hardware/datapath/step_kinds.hpp"

namespace nibblecore::hw {
namespace {

using test::step_tag;

constexpr int kDepthBlocks = 4;

/// Blocks of the dense and of the sparse lanes.
void expect_blocks(const StepTag& tag, int dense, int sparse) {
  const StepBlocks blocks = step_blocks(tag, kDepthBlocks);
  EXPECT_EQ(blocks.dense, dense) << static_cast<int>(tag.kind);
  EXPECT_EQ(blocks.sparse, sparse) << static_cast<int>(tag.kind);
}

TEST(StepBlocks, GoThroughTheLanesOfTheirKind) {
  expect_blocks(step_tag(StepKind::kDense, 4, 0), 4, 0);
  expect_blocks(step_tag(StepKind::kResidual, 0, 4), 4, 0);
  expect_blocks(step_tag(StepKind::kSparse, 0, 8), 0, 8);
  expect_blocks(step_tag(StepKind::kDenseAndSparse, 4, 4), 4, 4);
  expect_blocks(step_tag(StepKind::kDenseAndSparse, 3, 2), 3, 2);
  expect_blocks(step_tag(StepKind::kSparseBeside, 0, 4), 0, 4);
}

TEST(StepBlocks, OneMoreThanTheMostIsRefused) {
  for (const StepTag& tag :
       {step_tag(StepKind::kDense, 5, 0), step_tag(StepKind::kDense, 4, 1),
        step_tag(StepKind::kResidual, 0, 5), step_tag(StepKind::kResidual, 1, 4),
        step_tag(StepKind::kSparse, 0, 9), step_tag(StepKind::kSparse, 1, 8),
        step_tag(StepKind::kDenseAndSparse, 5, 4), step_tag(StepKind::kDenseAndSparse, 4, 5),
        step_tag(StepKind::kSparseBeside, 0, 5), step_tag(StepKind::kSparseBeside, 1, 4),
        step_tag(StepKind::kDense, -1, 0), step_tag(StepKind::kSparse, 0, -1)}) {
    EXPECT_THROW(step_blocks(tag, kDepthBlocks), InternalError)
        << static_cast<int>(tag.kind) << ", " << tag.dense_blocks << ", " << tag.residual_blocks;
  }
}

}  // namespace
}  // namespace nibblecore::hw
