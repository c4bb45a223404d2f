// SPDX-License-Identifier: Apache-2.0
#include "tb/replay/measures.hpp"

#include <gtest/gtest.h>

namespace nibblecore::tb {
namespace {

TEST(Measures, CostsCountEachCallAndValuesOnce) {
  Measures gemm;
  gemm.gemms = 1;
  gemm.simulated = 1;
  gemm.macs = gemm.simulated_macs = 1000;
  gemm.steps = 10;
  gemm.cycles = {10, 2, 2, 1};
  gemm.outputs = 4;
  gemm.mismatches = 1;
  gemm.qdq_ulp.add(1, 3);
  gemm.a = {8, 2, 1};
  Measures sum;
  sum.add(gemm, 3);
  sum.add(gemm, 1);
  EXPECT_EQ(sum.gemms, 4);
  EXPECT_EQ(sum.macs, 4000);
  EXPECT_EQ(sum.steps, 40);
  EXPECT_EQ(sum.cycles, (CycleCounts{40, 8, 8, 4}));
  EXPECT_EQ(sum.outputs, 16);
  EXPECT_EQ(sum.mismatches, 4);
  EXPECT_EQ(sum.qdq_ulp.count(), 2U);
  EXPECT_EQ(sum.a.non_zero, 16);
}

TEST(Measures, UtilisationIsUsefulWorkOverPossibleWork) {
  constexpr CoreDescription kCore{"tiny", 2, 2, 64, "test"};
  Measures sum;
  EXPECT_EQ(sum.utilisation(kCore), 0);
  sum.simulated_macs = 256;
  sum.macs = 10'000;  // with GEMMs that were only listed
  sum.cycles = {2, 1, 1, 0};
  EXPECT_EQ(sum.utilisation(kCore), 0.25);
}

}  // namespace
}  // namespace nibblecore::tb
