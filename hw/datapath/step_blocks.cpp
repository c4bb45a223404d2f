// SPDX-License-Identifier: Apache-2.0
#include "hw/datapath/step_blocks.hpp"

#include <string>

#include "model/common/error.hpp"

namespace nibblecore::hw {
namespace {

/// Most blocks of A and of its residual that a step of some kind takes in.
struct MostBlocks {
  int dense;
  int residual;
};

MostBlocks most_blocks_of(StepKind kind, int depth_blocks) {
  switch (kind) {
    case StepKind::kDense:
      return {depth_blocks, 0};
    case StepKind::kResidual:
    case StepKind::kSparseBeside:
      return {0, depth_blocks};
    case StepKind::kSparse:
      return {0, 2 * depth_blocks};
    case StepKind::kDenseAndSparse:
      return {depth_blocks, depth_blocks};
  }
  throw InternalError("unknown kind of step");
}

void require_within(const char* what, int blocks, int most) {
  if (blocks < 0 || blocks > most) {
    throw InternalError("a step has " + std::to_string(blocks) + ' ' + what + " blocks, not 0 to " +
                        std::to_string(most));
  }
}

}  // namespace

StepBlocks step_blocks(const StepTag& tag, int depth_blocks) {
  const MostBlocks most = most_blocks_of(tag.kind, depth_blocks);
  require_within("dense", tag.dense_blocks, most.dense);
  require_within("residual", tag.residual_blocks, most.residual);
  if (tag.kind == StepKind::kResidual) {
    return {tag.residual_blocks, 0};
  }
  return {tag.dense_blocks, tag.residual_blocks};
}

}  // namespace nibblecore::hw
