// SPDX-License-Identifier: Apache-2.0
#include "model/emulate/gemm_steps.hpp"

#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace nibblecore {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

/// Steps as words: "a 0-2" adds blocks 0 and 1 of A, "r" those of the residual, "m" to a macro
/// block's sum; "take 1" takes in macro block 1. Accumulators of the residual's own have a quote.
std::vector<std::string> words(const GemmCorrections& corrections, int64_t blocks,
                               int64_t longest) {
  std::vector<std::string> all;
  for (const GemmStep& step : gemm_steps(corrections, blocks, 32, longest)) {
    const std::string range = std::to_string(step.first) + "-" + std::to_string(step.end);
    const bool own = step.to == TilePlane::kResidual || step.to == TilePlane::kResidualMacroSum;
    const bool macro = step.to == TilePlane::kMacroSum || step.to == TilePlane::kResidualMacroSum;
    const std::string to = std::string(macro ? "m" : "") + (own ? "'" : "");
    switch (step.kind) {
      case GemmStep::Kind::kAddA:
        all.push_back("a" + to + " " + range);
        break;
      case GemmStep::Kind::kAddResidual:
        all.push_back("r" + to + " " + range);
        break;
      case GemmStep::Kind::kTakeIn:
        all.push_back("take" + to + " " + std::to_string(step.first));
        break;
      case GemmStep::Kind::kAddPlanes:
        all.emplace_back("planes");
        break;
    }
  }
  return all;
}

TEST(GemmSteps, WithoutCorrectionsAreStretchesOfA) {
  EXPECT_THAT(words({}, 5, 2), ElementsAre("a 0-2", "a 2-4", "a 4-5"));
  EXPECT_THAT(words({}, 0, 2), IsEmpty());
}

TEST(GemmSteps, ResidualFollowsEachGranule) {
  const PackedMatrix none;
  const ResidualOperand by_128{none, 128};
  GemmCorrections corrections;
  corrections.residual = &by_128;
  EXPECT_THAT(words(corrections, 6, 32), ElementsAre("a 0-4", "r 0-4", "a 4-6", "r 4-6"));
  const ResidualOperand behind{none, 192};
  corrections.residual = &behind;
  EXPECT_THAT(words(corrections, 6, 4), ElementsAre("a 0-4", "a 4-6", "r 0-4", "r 4-6"));
}

TEST(GemmSteps, MacroBlockIsTakenInWhereTheNextBeginsAndAtTheEnd) {
  MacroScales macro;
  macro.length = 64;
  GemmCorrections corrections;
  corrections.a_macro = &macro;
  EXPECT_THAT(words(corrections, 5, 32),
              ElementsAre("am 0-2", "take 0", "am 2-4", "take 1", "am 4-5", "take 2"));
}

TEST(GemmSteps, InterleavedResidualSharesTheMacroBlockAndAnAppendedOneDoesNot) {
  MacroScales macro;
  macro.length = 128;
  const PackedMatrix none;
  const ResidualOperand interleaved{none, 64};
  GemmCorrections corrections;
  corrections.b_macro = &macro;
  corrections.residual = &interleaved;
  EXPECT_THAT(words(corrections, 4, 32),
              ElementsAre("am 0-2", "rm 0-2", "am 2-4", "rm 2-4", "take 0"));
  const ResidualOperand appended{none, 256};
  corrections.residual = &appended;
  EXPECT_THAT(words(corrections, 8, 32), ElementsAre("am 0-4", "take 0", "am 4-8", "take 1",
                                                     "rm 0-4", "take 0", "rm 4-8", "take 1"));
}

TEST(GemmSteps, ResidualWithAlphaHasAccumulatorsOfItsOwn) {
  MacroScales macro;
  macro.length = 64;
  const PackedMatrix none;
  const ResidualOperand residual{none, 64};
  GemmCorrections corrections;
  corrections.residual = &residual;
  corrections.residual_alpha = 0.5F;
  EXPECT_THAT(words(corrections, 3, 32), ElementsAre("a 0-3", "r' 0-3", "planes"));
  EXPECT_THAT(words(corrections, 0, 32), IsEmpty());
  corrections.a_macro = &macro;
  EXPECT_THAT(words(corrections, 3, 32),
              ElementsAre("am 0-2", "take 0", "am 2-3", "take 1", "rm' 0-2", "take' 0", "rm' 2-3",
                          "take' 1", "planes"));
}

}  // namespace
}  // namespace nibblecore
