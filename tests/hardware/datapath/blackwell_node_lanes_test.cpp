// SPDX-License-Identifier: Apache-2.0
// The node in every lane and on every target against the golden reference's definition.
#include <algorithm>
#include <random>

#include <gtest/gtest.h>

#include "hw/datapath/blackwell_node.hpp"
#include "model/reference/truncating_node.hpp"
#include "tests/hardware/datapath/available_targets.hpp"
#include "tests/hardware/datapath/node_lanes.hpp"

namespace nibblecore::hw {
namespace {

using test::NodeGroup;
using test::NodeLanes;

constexpr BlockFormat kE8m0{"", ElementKind::kE2m1, ScaleKind::kE8m0, 16};
constexpr BlockFormat kUe4m3{"", ElementKind::kE2m1, ScaleKind::kUe4m3, 16};
constexpr size_t kOutputs = 40'000;

/// Groups and accumulators whose exponents lie near each other or anywhere, zeros of every kind.
class NodeDraws {
 public:
  explicit NodeDraws(const BlockFormat& format) : format_(format), random_(31) {}

  std::vector<NodeGroup> groups(int count) {
    std::vector<NodeGroup> drawn;
    drawn.reserve(static_cast<size_t>(count));
    middle_ = between(-254, 254);
    for (int i = 0; i < count; ++i) {
      drawn.push_back(format_.scale == ScaleKind::kE8m0 ? mx_group() : nv_group());
    }
    // Now and then the opposite of another one: sums that cancel.
    if (count > 1 && random_() % 4 == 0) {
      drawn.back() = drawn.front();
      drawn.back().sum = -drawn.front().sum + between(-1, 1) * (random_() % 2 == 0 ? 1 : 0);
      drawn.back().nonzero = drawn.back().nonzero || drawn.back().sum != 0;
    }
    return drawn;
  }

  uint32_t start() {
    const auto any = static_cast<uint32_t>(random_());
    if (random_() % 8 == 0) {
      return any & 0x80000000;
    }
    if (random_() % 8 == 0) {
      return any & 0x807FFFFF;
    }
    const int exponent = random_() % 8 == 0 ? between(-126, 127) : middle_ + between(-45, 45);
    const auto field = static_cast<uint32_t>(std::clamp(exponent + 127, 0, 254));
    return (any & 0x807FFFFF) | (field << 23);
  }

 private:
  int between(int least, int most) {
    return least + static_cast<int>(random_() % static_cast<uint64_t>(most - least + 1));
  }

  NodeGroup with_sum(NodeGroup group) {
    group.sum = random_() % 4 == 0 ? 0 : between(-2304, 2304);
    group.nonzero = group.sum != 0 || random_() % 2 == 0;
    return group;
  }

  NodeGroup mx_group() {
    const int exponent = random_() % 8 == 0 ? between(-254, 254) : middle_ + between(-40, 40);
    return with_sum({0, 1, std::clamp(exponent, -254, 254), true, false});
  }

  NodeGroup nv_group() {
    const int significand = random_() % 8 == 0 ? 0 : between(1, 225);
    const int exponent = between(-12, 16);
    middle_ = exponent;
    return with_sum({0, significand, exponent, true, false});
  }

  BlockFormat format_;
  std::mt19937_64 random_;
  int middle_ = 0;
};

NodeTerm defined_term(const BlockFormat& format, Accumulation policy, const NodeGroup& group) {
  constexpr int kZero = -139;
  constexpr int kZeroScale = -126;
  const int unit = format.scale == ScaleKind::kE8m0 ? 2 : 8;
  const int64_t value = int64_t{group.sum} * group.significand;
  int alignment = group.exponent;
  if (policy == Accumulation::kBlackwell) {
    alignment = !group.nonzero || group.significand == 0 ? kZero : alignment;
  } else if (group.significand == 0) {
    alignment = kZeroScale + group.exponent / 2;  // of the other factor: -6 to 8
  }
  return {{value, alignment - unit}, alignment};
}

/// What a finite accumulator becomes.
uint32_t defined(const BlockFormat& format, Accumulation policy, uint32_t start,
                 const std::vector<NodeGroup>& groups) {
  const bool v1 = policy == Accumulation::kBlackwellV1;
  std::vector<NodeTerm> terms;
  terms.reserve(groups.size() + 1);
  for (const NodeGroup& group : groups) {
    terms.push_back(defined_term(format, policy, group));
  }
  const ExactTerm value = exact_term(start);
  const bool zero = (start & 0x7FFFFFFF) == 0;
  const auto field = static_cast<int>((start >> 23) & 0xFF);
  terms.push_back({value, zero && !v1 ? -139 : std::max(field, 1) - 127});
  return truncating_node(terms.data(), terms.size(), 35,
                         v1 ? NegativeUnderflow::kPlusZero : NegativeUnderflow::kMinusZero)
      .bits;
}

TEST(BlackwellNodeLanes, EveryTargetGivesTheDefinitionInEveryLane) {
  for (const BlockFormat& format : {kE8m0, kUe4m3}) {
    NodeDraws draws(format);
    for (int groups = 1; groups <= kNodeGroups; ++groups) {
      NodeLanes lanes(format, groups, kOutputs);
      std::vector<uint32_t> v21;
      std::vector<uint32_t> v1;
      for (size_t i = 0; i < kOutputs; ++i) {
        const std::vector<NodeGroup> drawn = draws.groups(groups);
        const uint32_t start = draws.start();
        lanes.set(i, start, drawn);
        v21.push_back(defined(format, Accumulation::kBlackwell, start, drawn));
        v1.push_back(defined(format, Accumulation::kBlackwellV1, start, drawn));
      }
      EXPECT_NE(v21, v1);
      for (const SimdTarget target : test::available_targets()) {
        EXPECT_EQ(lanes.run(target, Accumulation::kBlackwell) == v21, true)
            << simd_target_name(target) << ", " << groups;
        EXPECT_EQ(lanes.run(target, Accumulation::kBlackwellV1) == v1, true)
            << simd_target_name(target) << ", " << groups;
      }
    }
  }
}

}  // namespace
}  // namespace nibblecore::hw
