// SPDX-License-Identifier: Apache-2.0
#include "tb/claims/operand_groups.hpp"

#include <cmath>
#include <set>

#include <gtest/gtest.h>

#include "tb/claims/claim_inputs.hpp"

namespace nibblecore::tb {
namespace {

class OperandGroups : public testing::Test {
 protected:
  const Trace trace{std::string(NIBBLECORE_TEST_DATA) + "/tiny_grpo"};
  const std::vector<OperandGroup> groups = operand_groups(trace, "tiny");
};

TEST_F(OperandGroups, SortsOperandsByWhatTheyAre) {
  ASSERT_EQ(groups.size(), 3);
  EXPECT_EQ(groups[0].name, "tiny weights");
  EXPECT_EQ(groups[1].name, "tiny activations");
  EXPECT_EQ(groups[2].name, "tiny gradients");
}

// Weights serve fprop along their inputs and dgrad along their outputs, in every phase.
TEST_F(OperandGroups, TakeEachTensorOnceAnAxis) {
  std::set<std::string> weights;
  for (const GemmRecord& record : trace.records()) {
    if (record.quantize && record.kind != GemmKind::kWgrad) {
      weights.insert(record.b->tensor + (record.kind == GemmKind::kFprop ? " in" : " out"));
    }
  }
  EXPECT_EQ(groups[0].operands.size(), weights.size());
}

TEST_F(OperandGroups, LeaveOutWhatStaysUnquantized) {
  for (const GemmRecord& record : trace.records()) {
    if (record.quantize) {
      continue;
    }
    const Operands operands = trace.operands(record);
    for (const MatrixView& weight : groups[0].operands) {
      EXPECT_NE(weight.data, operands.b.data) << record.line;
    }
  }
}

TEST_F(OperandGroups, CountEachOperandAlikeInErrors) {
  // The same values a thousand times as large must not change a share.
  std::vector<float> values(64);
  for (size_t i = 0; i < values.size(); ++i) {
    values[i] = static_cast<float>(std::sin(1.0 + static_cast<double>(i)));
  }
  std::vector<float> other(64);
  for (size_t i = 0; i < other.size(); ++i) {
    other[i] = static_cast<float>(1 + i % 7);
  }
  std::vector<float> large = other;
  for (float& value : large) {
    value *= 1024;
  }
  const std::vector<float> zeros(64);
  const auto share = [&](const std::vector<float>& second) {
    const OperandGroup group{
        "",
        {row_major_view(values.data(), 2, 32), row_major_view(second.data(), 2, 32),
         row_major_view(zeros.data(), 2, 32)}};
    return group_errors({}, group, {{SweepScale::kRoundedUp, 0}})[0].relative_error();
  };
  EXPECT_EQ(share(other), share(large));
}

}  // namespace
}  // namespace nibblecore::tb
