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
  gemm.cycles.total = 15;
  gemm.cycles[Unit::kArray].busy = 10;
  gemm.bf16_cycles = 30;
  gemm.outputs = 4;
  gemm.mismatches = 1;
  gemm.qdq_ulp.add(1, 3);
  gemm.a.non_zero = 8;
  Measures sum;
  sum.add(gemm, 3);
  sum.add(gemm, 1);
  EXPECT_EQ(sum.gemms, 4);
  EXPECT_EQ(sum.macs, 4000);
  EXPECT_EQ(sum.steps, 40);
  EXPECT_EQ(sum.cycles.total, 60);
  EXPECT_EQ(sum.cycles[Unit::kArray].busy, 40);
  EXPECT_EQ(sum.bf16_cycles, 120);
  EXPECT_EQ(sum.speed_up(), 2.0);
  EXPECT_EQ(sum.outputs, 16);
  EXPECT_EQ(sum.mismatches, 4);
  EXPECT_EQ(sum.qdq_ulp.count(), 2U);
  EXPECT_EQ(sum.a.non_zero, 16);
}

TEST(Measures, UtilisationIsUsefulWorkOverPossibleWork) {
  Machine machine{};
  machine.core = {2, 2, 64};
  machine.cores = 2;
  Measures sum;
  EXPECT_EQ(sum.utilisation(machine), 0);
  sum.simulated_macs = 256;
  sum.macs = 10'000;  // with GEMMs that were only listed
  sum.cycles.total = 4;
  sum.unquantized_cycles = 100;
  EXPECT_EQ(sum.utilisation(machine), 0.125);
  EXPECT_EQ(sum.total_cycles(), 104);
}

}  // namespace
}  // namespace nibblecore::tb
