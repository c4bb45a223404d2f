// SPDX-License-Identifier: Apache-2.0
// The cases that docs/cycles.md works by hand; tests have the names of their cases.
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "model/machine/program_cycles.hpp"
#include "model/machine/timeline.hpp"
#include "model/machine/trip_cost.hpp"
#include "tests/unit/machine/cycle_definition.hpp"
#include "tests/unit/machine/random_programs.hpp"

namespace nibblecore {
namespace {

/// [first, end) of every operation of this sort.
using Spans = std::vector<std::pair<int64_t, int64_t>>;

class CyclesPage : public testing::Test {
 protected:
  void run(const GemmSpec& spec, const Tiling& tiling) {
    const Program program(round_machine(), spec, tiling);
    defined_ = defined_cycles(program);
    EXPECT_EQ(program_cycles(program), defined_.report);
  }

  Spans spans(Operation operation) const {
    Spans spans;
    for (const Occupancy& occupancy : defined_.occupancies) {
      if (occupancy.operation == operation) {
        spans.emplace_back(occupancy.first, occupancy.end);
      }
    }
    return spans;
  }
  int64_t total() const { return defined_.report.total; }
  const UnitCycles& of(Unit unit) const { return defined_.report[unit]; }
  int64_t stall(Unit unit, StallCause cause) const {
    return of(unit).stalls[static_cast<size_t>(cause)];
  }

 private:
  DefinedCycles defined_;
};

TEST_F(CyclesPage, OneTile) {
  run({16, 16, 64, kMxfp4}, {1, 1, 1});
  EXPECT_EQ(spans(Operation::kLoadA), (Spans{{0, 2}}));
  EXPECT_EQ(spans(Operation::kLoadB), (Spans{{2, 4}}));
  EXPECT_EQ(spans(Operation::kMoveA), (Spans{{7, 8}}));
  EXPECT_EQ(spans(Operation::kMoveB), (Spans{{9, 10}}));
  EXPECT_EQ(spans(Operation::kIssue), (Spans{{11, 12}}));
  EXPECT_EQ(spans(Operation::kStore), (Spans{{18, 22}}));
  EXPECT_EQ(total(), 27);
  EXPECT_EQ(of(Unit::kMemoryPort), (UnitCycles{8, {0, 0, 14, 0, 0, 0, 0}, 5}));
  EXPECT_EQ(of(Unit::kMoveA), (UnitCycles{1, {7, 0, 0, 0, 0, 0, 0}, 19}));
  EXPECT_EQ(of(Unit::kMoveB), (UnitCycles{1, {0, 9, 0, 0, 0, 0, 0}, 17}));
  EXPECT_EQ(of(Unit::kArray), (UnitCycles{1, {9, 2, 0, 0, 0, 0, 0}, 15}));
}

TEST_F(CyclesPage, ChunksOfK) {
  run({16, 16, 256, kMxfp4}, {1, 1, 1});
  EXPECT_EQ(spans(Operation::kLoadA), (Spans{{0, 2}, {4, 6}, {8, 10}, {12, 14}}));
  EXPECT_EQ(spans(Operation::kLoadB), (Spans{{2, 4}, {6, 8}, {10, 12}, {14, 16}}));
  EXPECT_EQ(spans(Operation::kMoveA), (Spans{{7, 8}, {11, 12}, {15, 16}, {19, 20}}));
  EXPECT_EQ(spans(Operation::kMoveB), (Spans{{9, 10}, {13, 14}, {17, 18}, {21, 22}}));
  EXPECT_EQ(spans(Operation::kIssue), (Spans{{11, 12}, {15, 16}, {19, 20}, {23, 24}}));
  EXPECT_EQ(spans(Operation::kStore), (Spans{{30, 34}}));
  EXPECT_EQ(total(), 39);
  EXPECT_EQ(of(Unit::kArray), (UnitCycles{4, {12, 8, 0, 0, 0, 0, 0}, 15}));
  EXPECT_EQ(stall(Unit::kMemoryPort, StallCause::kFullBuffer), 0);

  // The state behind trip 1 comes back behind trip 2.
  const Program program(round_machine(), {16, 16, 256, kMxfp4}, {1, 1, 1});
  std::vector<Timeline> behind;
  Timeline timeline(program);
  for (int64_t chunk = 0; chunk < 3; ++chunk) {
    const ChunkBody body = program.body({0, 0, chunk});
    timeline.run(body, trip_cost(program, body, count_passes(program, body)));
    behind.push_back(timeline);
  }
  EXPECT_FALSE(behind[1].continues_like(behind[0]));
  EXPECT_TRUE(behind[2].continues_like(behind[1]));
  EXPECT_EQ(behind[2].end(Unit::kArray) - behind[1].end(Unit::kArray), 4);
}

TEST_F(CyclesPage, Regions) {
  run({16, 64, 64, kMxfp4}, {1, 1, 1});
  EXPECT_EQ(spans(Operation::kLoadA), (Spans{{0, 2}, {4, 6}, {8, 10}, {22, 24}}));
  EXPECT_EQ(spans(Operation::kLoadB), (Spans{{2, 4}, {6, 8}, {10, 12}, {24, 26}}));
  EXPECT_EQ(spans(Operation::kStore), (Spans{{18, 22}, {26, 30}, {30, 34}, {40, 44}}));
  EXPECT_EQ(spans(Operation::kMoveA), (Spans{{7, 8}, {11, 12}, {15, 16}, {29, 30}}));
  EXPECT_EQ(spans(Operation::kMoveB), (Spans{{9, 10}, {13, 14}, {17, 18}, {31, 32}}));
  EXPECT_EQ(spans(Operation::kIssue), (Spans{{11, 12}, {15, 16}, {22, 23}, {33, 34}}));
  EXPECT_EQ(stall(Unit::kArray, StallCause::kFullBuffer), 3);
  EXPECT_EQ(of(Unit::kMemoryPort), (UnitCycles{32, {0, 0, 12, 0, 0, 0, 0}, 5}));
  EXPECT_EQ(total(), 49);
}

TEST_F(CyclesPage, KeptPanel) {
  run({16, 48, 128, kMxfp4},
      {1, 1, 1, LoopOrder::kRowsOuter, StepOrder::kTilesInner, Residency::kOuterKept});
  EXPECT_EQ(spans(Operation::kLoadA), (Spans{{0, 2}, {4, 6}}));
  EXPECT_EQ(spans(Operation::kLoadB),
            (Spans{{2, 4}, {6, 8}, {10, 12}, {14, 16}, {26, 28}, {28, 30}}));
  EXPECT_EQ(spans(Operation::kStore), (Spans{{22, 26}, {30, 34}, {46, 50}}));
  EXPECT_EQ(spans(Operation::kMoveA),
            (Spans{{7, 8}, {11, 12}, {13, 14}, {17, 18}, {21, 22}, {25, 26}}));
  EXPECT_EQ(spans(Operation::kMoveB),
            (Spans{{9, 10}, {13, 14}, {17, 18}, {21, 22}, {33, 34}, {35, 36}}));
  EXPECT_EQ(spans(Operation::kIssue),
            (Spans{{11, 12}, {15, 16}, {19, 20}, {23, 24}, {35, 36}, {39, 40}}));
  EXPECT_EQ(stall(Unit::kMemoryPort, StallCause::kFullBuffer), 4);
  EXPECT_EQ(stall(Unit::kArray, StallCause::kAccumulate), 2);
  EXPECT_EQ(total(), 55);
}

TEST_F(CyclesPage, ResidualWithStartValues) {
  GemmSpec spec{16,
                32,
                128,
                kMxfp4,
                OperandPath::kOnlineBf16,
                OperandPath::kPacked,
                ResidualPattern::kTwoOfFour};
  spec.start = Start::kFromMemory;
  spec.output = OutputWidth::kBf16;
  run(spec, {1, 1, 2});
  EXPECT_EQ(spans(Operation::kLoadA), (Spans{{0, 16}, {24, 40}}));
  EXPECT_EQ(spans(Operation::kLoadB), (Spans{{16, 20}, {40, 44}}));
  EXPECT_EQ(spans(Operation::kStart), (Spans{{20, 24}, {44, 48}}));
  EXPECT_EQ(spans(Operation::kMoveA), (Spans{{21, 29}, {45, 53}}));
  EXPECT_EQ(spans(Operation::kMoveB), (Spans{{25, 27}, {49, 51}}));
  EXPECT_EQ(spans(Operation::kIssue), (Spans{{38, 47}, {62, 71}}));
  EXPECT_EQ(spans(Operation::kStore), (Spans{{57, 59}, {81, 83}}));
  EXPECT_EQ(of(Unit::kArray), (UnitCycles{6, {53, 0, 0, 0, 0, 12, 0}, 17}));
  EXPECT_EQ(total(), 88);
}

TEST_F(CyclesPage, StepOrders) {
  const GemmSpec spec{16, 32, 128, kMxfp4};
  run(spec, {1, 2, 2, LoopOrder::kRowsOuter, StepOrder::kTilesInner});
  EXPECT_EQ(spans(Operation::kMoveB), (Spans{{17, 21}}));
  EXPECT_EQ(spans(Operation::kIssue), (Spans{{22, 28}}));
  EXPECT_EQ(stall(Unit::kArray, StallCause::kAccumulate), 2);
  EXPECT_EQ(spans(Operation::kStore), (Spans{{34, 42}}));
  EXPECT_EQ(total(), 47);
  run(spec, {1, 2, 2, LoopOrder::kRowsOuter, StepOrder::kStepsInner});
  EXPECT_EQ(spans(Operation::kIssue), (Spans{{22, 32}}));
  EXPECT_EQ(stall(Unit::kArray, StallCause::kAccumulate), 6);
  EXPECT_EQ(spans(Operation::kStore), (Spans{{38, 46}}));
  EXPECT_EQ(total(), 51);
}

TEST_F(CyclesPage, MacroBlocks) {
  GemmSpec spec{16, 16, 256, kMxfp4};
  spec.macro_length = 128;
  spec.a_has_factors = true;
  spec.b_has_factors = true;
  run(spec, {1, 1, 4});
  EXPECT_EQ(spans(Operation::kLoadA), (Spans{{0, 9}}));
  EXPECT_EQ(spans(Operation::kLoadB), (Spans{{9, 18}}));
  EXPECT_EQ(spans(Operation::kMoveA), (Spans{{14, 19}}));
  EXPECT_EQ(spans(Operation::kMoveB), (Spans{{23, 28}}));
  EXPECT_EQ(spans(Operation::kIssue), (Spans{{29, 44}}));
  EXPECT_EQ(spans(Operation::kStore), (Spans{{52, 56}}));
  EXPECT_EQ(of(Unit::kArray), (UnitCycles{4, {20, 9, 0, 0, 0, 11, 0}, 17}));
  EXPECT_EQ(total(), 61);
}

}  // namespace
}  // namespace nibblecore
