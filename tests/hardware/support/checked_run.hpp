// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include "model/machine/program_cycles.hpp"
#include "tb/bench/core_bench.hpp"

namespace nibblecore::test {

/// Runs a GEMM (RandomGemm or PackedGemm) and expects every bit of the golden reference.
template <class Gemm>
CycleReport run_for_bits(tb::CoreBench& bench, const Program& program, Gemm& gemm,
                         hw::TimelineSink* timeline = nullptr) {
  gemm.forget_result();
  const CycleReport report = bench.run(program, gemm.gemm(), timeline);
  EXPECT_EQ(gemm.result(), gemm.golden());
  return report;
}

/// The same, and expects the cycle model's report, unit by unit and cause by cause.
template <class Gemm>
CycleReport run_checked(tb::CoreBench& bench, const Program& program, Gemm& gemm,
                        hw::TimelineSink* timeline = nullptr) {
  const CycleReport report = run_for_bits(bench, program, gemm, timeline);
  const CycleReport expected = program_cycles(program);
  EXPECT_EQ(report.total, expected.total);
  for (int unit = 0; unit < kUnits; ++unit) {
    const UnitCycles& found = report[static_cast<Unit>(unit)];
    const UnitCycles& wanted = expected[static_cast<Unit>(unit)];
    EXPECT_EQ(found.busy, wanted.busy) << name_of(static_cast<Unit>(unit));
    EXPECT_EQ(found.stalls, wanted.stalls) << name_of(static_cast<Unit>(unit));
    EXPECT_EQ(found.idle, wanted.idle) << name_of(static_cast<Unit>(unit));
  }
  EXPECT_TRUE(report == expected);
  return report;
}

}  // namespace nibblecore::test
