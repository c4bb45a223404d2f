// SPDX-License-Identifier: Apache-2.0
#include "tb/replay/machine_gemm.hpp"

#include <gtest/gtest.h>

#include "model/machine/machine_file.hpp"

namespace nibblecore::tb {
namespace {

/// Four cores with a byte a cycle of memory each.
Machine four_cores() {
  Machine machine = load_machine("core16x16x64").machine;
  machine.cores = 4;
  machine.memory = make_rate(1, 1);
  return machine;
}

GemmSpec spec_of(int64_t m, int64_t n, int64_t k) {
  GemmSpec spec{m, n, k, kMxfp4};
  spec.a = OperandPath::kOnlineBf16;
  spec.b = OperandPath::kPacked;
  return spec;
}

TEST(Roofline, IsBoundByTheMemoryWhereStepsAreFew) {
  // A: 64 x 64 values of 2 bytes; B: 32 rows of two blocks of 17; the result: 64 x 32 of 4.
  const int64_t bytes = 2 * 64 * 64 + 32 * 2 * 17 + 4 * 64 * 32;
  EXPECT_EQ(roofline_cycles(four_cores(), spec_of(64, 32, 64), 8), (bytes + 3) / 4);
}

TEST(Roofline, IsBoundByTheStepsOfAllCoresWhereTheyAreMany) {
  EXPECT_EQ(roofline_cycles(four_cores(), spec_of(64, 32, 64), 4'000'001), 1'000'001);
}

TEST(Roofline, InBf16ItMovesTwoBytesAValueAndResult) {
  GemmRecord record;
  record.m = 64;
  record.n = 32;
  record.k = 64;
  record.batch = 3;
  EXPECT_EQ(bf16_roofline_cycles(four_cores(), record),
            3 * (2 * (64 * 64 + 32 * 64 + 64 * 32) / 4));
}

}  // namespace
}  // namespace nibblecore::tb
