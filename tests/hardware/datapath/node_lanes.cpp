// SPDX-License-Identifier: Apache-2.0
#include "tests/hardware/datapath/node_lanes.hpp"

#include "hw/channel/lanes.hpp"

namespace nibblecore::test {

NodeLanes::NodeLanes(const BlockFormat& format, int groups, size_t outputs)
    : format_(format),
      groups_(groups),
      outputs_(static_cast<size_t>(hw::padded_lanes(static_cast<int>(outputs)))),
      starts_(outputs_),
      sums_(outputs_ * static_cast<size_t>(groups)),
      nonzero_(sums_.size()),
      significands_(sums_.size()),
      exponents_(sums_.size()),
      nan_(sums_.size()) {}

void NodeLanes::set(size_t output, uint32_t start, const std::vector<NodeGroup>& groups) {
  const int unit_bits = hw::node_rule(Accumulation::kBlackwell, format_).unit_bits;
  starts_[output] = start;
  for (size_t i = 0; i < groups.size(); ++i) {
    const size_t at = i * outputs_ + output;
    sums_[at] = groups[i].sum;
    significands_[at] = groups[i].significand;
    exponents_[at] = groups[i].exponent - unit_bits;
    nonzero_[at] = groups[i].nonzero ? 1 : 0;
    nan_[at] = groups[i].nan ? 1 : 0;
  }
}

std::vector<uint32_t> NodeLanes::run(hw::SimdTarget target, Accumulation policy) const {
  std::vector<uint32_t> result = starts_;
  hw::accumulate_nodes(target, hw::node_rule(policy, format_),
                       {outputs_, groups_, 1, sums_.data(), nonzero_.data(), significands_.data(),
                        exponents_.data(), nan_.data()},
                       result.data());
  return result;
}

uint32_t run_node(const BlockFormat& format, Accumulation policy, uint32_t start,
                  const std::vector<NodeGroup>& groups) {
  NodeLanes lanes(format, static_cast<int>(groups.size()), 1);
  lanes.set(0, start, groups);
  return lanes.run(hw::SimdTarget::kBaseline, policy).front();
}

}  // namespace nibblecore::test
