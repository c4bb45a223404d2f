// SPDX-License-Identifier: Apache-2.0
// Constrained-random GEMMs on the instrumented core: every bit against the golden reference, every
// addition and all cycles checked, and every bin of the functional coverage that can be hit is hit.
#include <cstdio>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "model/common/error.hpp"
#include "tb/coverage/coverage_report.hpp"
#include "tb/coverage/covered_run.hpp"
#include "tb/stimulus/stimulus.hpp"
#include "tests/hardware/simulation_test.hpp"

namespace nibblecore::tb {
namespace {

// Fixed, so that a failure comes back; `nibblecore cover --first-seed` runs others.
constexpr uint32_t kFirstSeed = 1;
constexpr uint32_t kSeeds = 8000;

class CoverageTest : public test::SimulationTest {
 protected:
  /// Runs seeds until one fails.
  static void run(uint32_t seeds, const StimulusConstraints& constraints, CoreCoverage& coverage) {
    for (uint32_t seed = kFirstSeed; seed < kFirstSeed + seeds; ++seed) {
      const Stimulus stimulus(seed, constraints);
      const CoveredRun run = run_covered(stimulus, coverage);
      ASSERT_TRUE(run.passed()) << run.failure;
    }
  }

  static std::vector<std::string> names(const std::vector<CoverBin>& bins) {
    std::vector<std::string> result;
    result.reserve(bins.size());
    for (const CoverBin& bin : bins) {
      result.push_back(bin.name);
    }
    return result;
  }
};

TEST_F(CoverageTest, RandomGemmsHitEveryReachableBinAndNoOther) {
  const StimulusConstraints constraints;
  CoreCoverage coverage(constraints.formats);
  run(kSeeds, constraints, coverage);
  const std::string table = coverage_table(coverage.coverage());
  std::fputs(table.c_str(), stdout);
  EXPECT_EQ(coverage.coverage().holes(), 0) << table;
  EXPECT_EQ(coverage.coverage().surprises(), 0) << table;
}

TEST_F(CoverageTest, PoorStimulusLeavesHolesWhereItIsPoor) {
  StimulusConstraints poor;
  poor.formats = {kMxfp4};
  poor.online = 0;
  poor.start_values = 0;
  poor.pressure = 0;
  poor.ranges = {1, 0, 0, 0};
  poor.nan = 0;
  poor.extremes = 0;
  poor.near_powers = 0;
  poor.least = 0;
  CoreCoverage coverage(poor.formats);
  run(300, poor, coverage);
  const Coverage& found = coverage.coverage();
  EXPECT_EQ(found.surprises(), 0);
  EXPECT_EQ(names(found.point("control", "stalls").holes()),
            (std::vector<std::string>{"array, start_values", "array, pipeline"}));
  EXPECT_EQ(found.point("control", "path of A, of B").covered(), 1);
  EXPECT_EQ(found.point("control", "channels under back-pressure").covered(), 0);
  EXPECT_EQ(found.point("control", "channels").holes().size(), 4U)
      << "entries of the four channels about the quantizers";
  EXPECT_EQ(names(found.point("mxfp4 scales", "NaN").holes()),
            (std::vector<std::string>{"A only", "B only", "both"}));
  EXPECT_EQ(found.point("mxfp4 accumulator", "special values").covered(), 0);
  EXPECT_EQ(found.point("mxfp4 residual", "2:4 positions").covered(), 0);
  EXPECT_EQ(found.point("mxfp4 quantizer", "scale rule, significand").covered(), 0);
  // What such a stimulus does reach.
  EXPECT_EQ(found.point("mxfp4 array", "element codes of A, of B").holes().size(), 0U);
  EXPECT_EQ(found.point("control", "loop order, residency, step order").holes().size(), 0U);
}

TEST_F(CoverageTest, WrongBitIsNoticed) {
  const StimulusConstraints constraints;
  CoreCoverage coverage(constraints.formats);
  for (uint32_t seed = 1; seed <= 20; ++seed) {
    const Stimulus stimulus(seed, constraints);
    std::vector<uint32_t> golden = stimulus.golden();
    const size_t at = seed % golden.size();
    golden[at] ^= 1;
    const CoveredRun run = run_covered(stimulus, golden, coverage);
    EXPECT_FALSE(run.passed());
    EXPECT_EQ(run.comparison.mismatches, 1);
    ASSERT_TRUE(run.comparison.first);
    const int64_t columns = stimulus.schedule().spec.n;
    EXPECT_EQ(run.comparison.first->row * columns + run.comparison.first->column,
              static_cast<int64_t>(at));
    EXPECT_NE(run.failure.find("seed " + std::to_string(seed) + ":"), std::string::npos)
        << run.failure;
  }
}

TEST_F(CoverageTest, EveryGemmIsCountedOnce) {
  StimulusConstraints constraints;
  constraints.formats = {kHif4};
  CoreCoverage coverage(constraints.formats);
  run(50, constraints, coverage);
  int64_t gemms = 0;
  for (const CoverBin& bin : coverage.coverage().point("control", "path of A, of B").bins()) {
    gemms += bin.hits;
  }
  EXPECT_EQ(gemms, 50);
}

TEST_F(CoverageTest, AnotherFormatIsRefused) {
  CoreCoverage coverage({kHif4});
  EXPECT_THROW(coverage.of(kMxfp4), InternalError);
  EXPECT_EQ(coverage.of(kHif4).format.name, kHif4.name);
}

}  // namespace
}  // namespace nibblecore::tb
