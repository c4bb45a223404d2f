// SPDX-License-Identifier: Apache-2.0
#include "model/formats/gemm_corrections.hpp"

#include <cmath>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model/common/error.hpp"

namespace nibblecore {
namespace {

using testing::HasSubstr;

class Corrections : public testing::Test {
 protected:
  std::string refusal(Accumulation policy = Accumulation::kFp32Rne) const {
    try {
      require_corrections_of(corrections, a, b, policy);
    } catch (const InputError& error) {
      return error.what();
    }
    return {};
  }

  static MacroScales ones(int64_t length, int64_t rows) {
    return {length, std::vector<float>(static_cast<size_t>(rows * ceil_divide(200, length)), 1.0F)};
  }

  PackedMatrix a = make_packed_matrix(kMxfp4, 2, 200);
  PackedMatrix b = make_packed_matrix(kMxfp4, 3, 200);
  ResidualOperand residual{a, 64};
  MacroScales a_macro = ones(128, 2);
  MacroScales b_macro = ones(128, 3);
  GemmCorrections corrections;
};

TEST_F(Corrections, NoneAndAllAreTaken) {
  EXPECT_EQ(refusal(), "");
  EXPECT_EQ(corrections.macro_length(), 0);
  corrections = {&residual, 0.5F, &a_macro, &b_macro, MacroEpilogue::kSeparate};
  for (const Accumulation policy :
       {Accumulation::kFp32Rne, Accumulation::kFp32Fused, Accumulation::kExact}) {
    EXPECT_EQ(refusal(policy), "");
  }
}

TEST_F(Corrections, MacroLengthIsThatOfEitherOperand) {
  corrections.a_macro = &a_macro;
  EXPECT_EQ(corrections.macro_length(), 128);
  EXPECT_EQ(refusal(), "");
  corrections.a_macro = nullptr;
  corrections.b_macro = &b_macro;
  EXPECT_EQ(corrections.macro_length(), 128);
  EXPECT_EQ(refusal(), "");
}

TEST_F(Corrections, EachOperandsScalesAreChecked) {
  corrections.a_macro = &b_macro;
  EXPECT_THAT(refusal(), HasSubstr("macro scales of A"));
  corrections = {};
  corrections.b_macro = &a_macro;
  EXPECT_THAT(refusal(), HasSubstr("macro scales of B"));
}

TEST_F(Corrections, BothOperandsHaveOneLength) {
  const MacroScales other = ones(64, 3);
  corrections.a_macro = &a_macro;
  corrections.b_macro = &other;
  EXPECT_THAT(refusal(), HasSubstr("length: 128 of A differs from 64 of B"));
}

TEST_F(Corrections, FusedAdditionsDoNotSpanMacroBlocks) {
  for (const int64_t length : {32, 96, 160}) {
    const MacroScales macro = ones(length, 2);
    corrections.a_macro = &macro;
    EXPECT_THAT(refusal(Accumulation::kFp32Fused),
                HasSubstr("length: " + std::to_string(length) +
                          " is neither a multiple of 64 nor the whole K under fp32-fused"));
    EXPECT_EQ(refusal(Accumulation::kFp32Rne), "");
    EXPECT_EQ(refusal(Accumulation::kExact), "");
  }
  for (const int64_t length : {64, 192, 224, 256}) {
    const MacroScales macro = ones(length, 2);
    corrections.a_macro = &macro;
    EXPECT_EQ(refusal(Accumulation::kFp32Fused), "") << length;
  }
}

TEST_F(Corrections, NodesThatTruncateDoNotSpanMacroBlocks) {
  const MacroScales of_96 = ones(96, 2);
  corrections.a_macro = &of_96;
  for (const Accumulation policy : {Accumulation::kBlackwell, Accumulation::kBlackwellV1}) {
    EXPECT_THAT(refusal(policy), HasSubstr("length: 96 is neither a multiple of 64 nor the whole K "
                                           "under " +
                                           std::string(name_of(policy))));
  }
  EXPECT_EQ(refusal(Accumulation::kBlackwellMxf8f6f4), "");
  for (const int64_t length : {64, 128, 224}) {
    const MacroScales macro = ones(length, 2);
    corrections.a_macro = &macro;
    EXPECT_EQ(refusal(Accumulation::kBlackwell), "") << length;
  }
}

TEST_F(Corrections, NodesThatTruncateTakeNoResidual) {
  corrections.residual = &residual;
  for (const AccumulationRecord& record : kAccumulations) {
    const std::string expected = is_truncating(record.accumulation)
                                     ? "residual of a GEMM: has no place in the order of policy '" +
                                           std::string(record.name) + "'"
                                     : "";
    EXPECT_EQ(refusal(record.accumulation), expected);
  }
}

TEST_F(Corrections, AlphaIsFiniteAndHasAResidual) {
  corrections.residual_alpha = 0.5F;
  EXPECT_THAT(refusal(), HasSubstr("residual alpha of a GEMM"));
  corrections.residual = &residual;
  for (const float alpha : {0.0F, -0.0F, -1.0F, 0x1p-149F}) {
    corrections.residual_alpha = alpha;
    EXPECT_EQ(refusal(), "") << alpha;
  }
  for (const float alpha : {HUGE_VALF, -HUGE_VALF, std::nanf("")}) {
    corrections.residual_alpha = alpha;
    EXPECT_THAT(refusal(), HasSubstr("not finite")) << alpha;
  }
}

TEST_F(Corrections, ResidualGoesWithA) {
  const ResidualOperand other{b, 64};
  corrections.residual = &other;
  EXPECT_THAT(refusal(), HasSubstr("residual of a GEMM operand"));
}

}  // namespace
}  // namespace nibblecore
