// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <vector>

#include "hw/channel/payload.hpp"

namespace nibblecore::test {

inline constexpr std::array<StepKind, kStepKinds> kAllStepKinds{
    StepKind::kDense, StepKind::kResidual, StepKind::kSparse, StepKind::kDenseAndSparse,
    StepKind::kSparseBeside};

inline hw::StepTag step_tag(StepKind kind, int dense_blocks, int residual_blocks) {
  hw::StepTag tag;
  tag.kind = kind;
  tag.dense_blocks = dense_blocks;
  tag.residual_blocks = residual_blocks;
  return tag;
}

/// A tag of this kind for every number of blocks, from one to all of a depth of `depth_blocks`; of
/// two parts also with different numbers.
inline std::vector<hw::StepTag> step_tags(StepKind kind, int depth_blocks) {
  std::vector<hw::StepTag> tags;
  const int most = kind == StepKind::kSparse ? 2 * depth_blocks : depth_blocks;
  for (int blocks = 1; blocks <= most; ++blocks) {
    if (kind == StepKind::kDenseAndSparse) {
      tags.push_back(step_tag(kind, blocks, blocks));
      tags.push_back(step_tag(kind, blocks, most - blocks));
    } else if (kind == StepKind::kDense) {
      tags.push_back(step_tag(kind, blocks, 0));
    } else {
      tags.push_back(step_tag(kind, 0, blocks));
    }
  }
  return tags;
}

}  // namespace nibblecore::test
