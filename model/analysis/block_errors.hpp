// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "model/analysis/block_scale.hpp"
#include "model/analysis/decomposition.hpp"

namespace nibblecore {

/// A block and what became of it, `count` values each; fewer than a block at a tensor's end.
struct QuantizedBlock {
  const float* input;
  const float* decoded;
  int count;
};

/// s / s* of the blocks of a strip.
class ScaleRatios {
 public:
  void add(double gamma);
  /// Adds their moments to the sum's.
  void add_to(Decomposition& sum) const;

 private:
  std::vector<double> gamma_;
  std::vector<double> delta_;
};

/// Adds the errors of one block to `sum`, and its ratio of scales to `ratios`.
void add_block_errors(const BlockFormat& format, const QuantizedBlock& block,
                      const BlockScale& scale, ScaleRatios& ratios, Decomposition& sum);

}  // namespace nibblecore
