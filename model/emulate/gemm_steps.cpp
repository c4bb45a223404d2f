// SPDX-License-Identifier: Apache-2.0
#include "model/emulate/gemm_steps.hpp"

#include <algorithm>

#include "model/common/checked.hpp"

namespace nibblecore {
namespace {

using Kind = GemmStep::Kind;

/// The steps of one set of accumulators and the sums of its macro blocks.
class StepList {
 public:
  StepList(std::vector<GemmStep>& steps, TilePlane total, TilePlane macro_sum, int64_t macro_blocks,
           int64_t longest)
      : steps_(steps),
        total_(total),
        macro_sum_(macro_sum),
        macro_blocks_(macro_blocks),
        longest_(longest) {}

  /// The last macro block stays in its sums: what follows may belong to it.
  void add(Kind kind, int64_t first, int64_t end) {
    while (first < end) {
      int64_t stop = std::min(end, first + longest_);
      if (macro_blocks_ > 0) {
        enter(first / macro_blocks_);
        stop = std::min(stop, (macro_block_ + 1) * macro_blocks_);
      }
      const TilePlane to = macro_blocks_ > 0 ? macro_sum_ : total_;
      steps_.push_back({kind, to, to, first, stop});
      first = stop;
    }
  }

  void take_in() {
    if (macro_block_ >= 0) {
      steps_.push_back({Kind::kTakeIn, macro_sum_, total_, macro_block_, macro_block_ + 1});
    }
  }

 private:
  void enter(int64_t macro_block) {
    if (macro_block != macro_block_) {
      take_in();
      macro_block_ = macro_block;
    }
  }

  std::vector<GemmStep>& steps_;
  TilePlane total_;
  TilePlane macro_sum_;
  int64_t macro_blocks_;
  int64_t longest_;
  int64_t macro_block_ = -1;  ///< whose sum is being added; negative before the first
};

}  // namespace

std::vector<GemmStep> gemm_steps(const GemmCorrections& corrections, int64_t blocks,
                                 int block_length, int64_t longest) {
  std::vector<GemmStep> steps;
  const int64_t macro_blocks = corrections.macro_length() / block_length;
  StepList list(steps, TilePlane::kResult, TilePlane::kMacroSum, macro_blocks, longest);
  if (corrections.residual_alpha && blocks > 0) {
    StepList residual(steps, TilePlane::kResidual, TilePlane::kResidualMacroSum, macro_blocks,
                      longest);
    list.add(Kind::kAddA, 0, blocks);
    list.take_in();
    residual.add(Kind::kAddResidual, 0, blocks);
    residual.take_in();
    steps.push_back({Kind::kAddPlanes, TilePlane::kResidual, TilePlane::kResult, 0, 0});
    return steps;
  }
  const bool has_residual = corrections.residual != nullptr;
  const int64_t granule =
      has_residual ? std::min(blocks, ceil_divide(corrections.residual->granule, block_length))
                   : blocks;
  for (int64_t first = 0; first < blocks; first += granule) {
    const int64_t end = std::min(blocks, first + granule);
    list.add(Kind::kAddA, first, end);
    if (has_residual) {
      list.add(Kind::kAddResidual, first, end);
    }
  }
  list.take_in();
  return steps;
}

}  // namespace nibblecore
