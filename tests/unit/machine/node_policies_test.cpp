// SPDX-License-Identifier: Apache-2.0
// What a policy decides of a program: whether there is one, and how many additions a step makes.
#include <gtest/gtest.h>

#include "model/machine/program_cycles.hpp"
#include "tests/support/input_error.hpp"
#include "tests/unit/machine/random_programs.hpp"

namespace nibblecore {
namespace {

constexpr Tiling kTiling{2, 2, 4};

GemmSpec spec_under(Accumulation policy, const BlockFormat& format = kMxfp4) {
  GemmSpec spec{32, 32, 256, format};
  spec.accumulation = policy;
  return spec;
}

Machine with_depth(int depth) {
  Machine machine = round_machine();
  machine.core.depth = depth;
  return machine;
}

int64_t additions(const GemmSpec& spec, int depth) {
  return Program(with_depth(depth), spec, kTiling).additions(StepKind::kDense);
}

std::string refusal(const GemmSpec& spec, int depth = 64) {
  return input_error([&] { Program(with_depth(depth), spec, kTiling); });
}

TEST(NodePolicies, AStepAddsOnceForEach64OfK) {
  for (const BlockFormat& format : {kMxfp4, kNvfp4}) {
    EXPECT_EQ(additions(spec_under(Accumulation::kFp32Rne, format), 128), 128 / format.block);
    for (const Accumulation policy : {Accumulation::kBlackwell, Accumulation::kBlackwellV1}) {
      EXPECT_EQ(additions(spec_under(policy, format), 64), 1);
      EXPECT_EQ(additions(spec_under(policy, format), 128), 2);
      EXPECT_EQ(additions(spec_under(policy, format), 192), 3);
    }
  }
}

TEST(NodePolicies, FewerAdditionsShortenAChainOnOneTile) {
  // One tile: every step waits for the result of the one before.
  Machine machine = round_machine();
  machine.accumulate_latency = 9;
  GemmSpec spec{16, 16, 640, kMxfp4};
  const int64_t blocks = program_cycles(Program(machine, spec, {1, 1, 10})).total;
  spec.accumulation = Accumulation::kBlackwell;
  const int64_t nodes = program_cycles(Program(machine, spec, {1, 1, 10})).total;
  EXPECT_EQ(blocks - nodes, 10 * 9);
}

TEST(NodePolicies, ADepthThatCutsANodeIsRefused) {
  for (const int depth : {32, 96, 160}) {
    EXPECT_EQ(refusal(spec_under(Accumulation::kFp32Rne), depth), "");
    const std::string reason = refusal(spec_under(Accumulation::kBlackwell), depth);
    EXPECT_NE(reason.find("depth " + std::to_string(depth)), std::string::npos) << reason;
    EXPECT_NE(reason.find("'blackwell'"), std::string::npos) << reason;
  }
}

TEST(NodePolicies, PoliciesWithoutAnAdderAreRefused) {
  for (const AccumulationRecord& record : kAccumulations) {
    const std::string reason = refusal(spec_under(record.accumulation));
    EXPECT_EQ(reason.empty(), has_adder(record.accumulation)) << record.name;
    EXPECT_EQ(reason.find("no circuit") != std::string::npos, !has_adder(record.accumulation));
  }
}

TEST(NodePolicies, AResidualIsRefused) {
  GemmSpec spec = spec_under(Accumulation::kBlackwell);
  spec.a = OperandPath::kOnlineBf16;
  EXPECT_EQ(refusal(spec), "");
  spec.residual = ResidualPattern::kTwoOfFour;
  EXPECT_NE(refusal(spec).find("--residual"), std::string::npos);
  spec.accumulation = Accumulation::kFp32Rne;
  EXPECT_EQ(refusal(spec), "");
}

TEST(NodePolicies, FormatsWithoutItsArithmeticAreRefused) {
  const BlockFormat block64{"", ElementKind::kE2m1, ScaleKind::kE8m0, 64};
  for (const BlockFormat& format : {kHif4, block64}) {
    EXPECT_EQ(refusal(spec_under(Accumulation::kFp32Rne, format)), "");
    EXPECT_NE(refusal(spec_under(Accumulation::kBlackwellV1, format)).find("E2M1"),
              std::string::npos);
  }
}

}  // namespace
}  // namespace nibblecore
