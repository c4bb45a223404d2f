// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "hw/datapath/blackwell_node.hpp"

namespace nibblecore::test {

/// One group of a node: sum of 16 products, product of both scales, the exponent by which it is
/// aligned.
struct NodeGroup {
  int32_t sum = 0;
  int32_t significand = 1;
  int32_t exponent = 0;
  bool nonzero = true;
  bool nan = false;
};

/// Accumulators and what their nodes take in: every output has the same number of groups.
class NodeLanes {
 public:
  /// Of blocks of 16; `outputs` is padded to whole groups of lanes.
  NodeLanes(const BlockFormat& format, int groups, size_t outputs);

  void set(size_t output, uint32_t start, const std::vector<NodeGroup>& groups);

  std::vector<uint32_t> run(hw::SimdTarget target, Accumulation policy) const;

 private:
  BlockFormat format_;
  int groups_;
  size_t outputs_;
  std::vector<uint32_t> starts_;
  std::vector<int32_t> sums_;
  std::vector<int32_t> nonzero_;
  std::vector<int32_t> significands_;
  std::vector<int32_t> exponents_;
  std::vector<int32_t> nan_;
};

/// One node alone, on the baseline.
uint32_t run_node(const BlockFormat& format, Accumulation policy, uint32_t start,
                  const std::vector<NodeGroup>& groups);

}  // namespace nibblecore::test
