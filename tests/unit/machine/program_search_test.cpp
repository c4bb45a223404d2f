// SPDX-License-Identifier: Apache-2.0
#include "model/machine/program_search.hpp"

#include <gtest/gtest.h>

#include "model/common/error.hpp"
#include "model/machine/program_cycles.hpp"
#include "model/machine/tiler.hpp"
#include "tests/unit/machine/random_programs.hpp"

namespace nibblecore {
namespace {

/// Buffers that keep some tilings out.
Machine narrow_machine(const RandomProgram& one, int64_t factor) {
  Machine machine = exactly_full(one);
  machine.l1_bytes *= factor;
  machine.l0a_bytes *= factor;
  machine.l0b_bytes *= factor;
  machine.l0c_bytes *= factor;
  return machine;
}

// One search asked for many extents guesses from what it found before: that must not show.
TEST(ProgramSearch, FindsWhatASearchForEachAloneFinds) {
  std::mt19937 random(70);
  int compared = 0;
  for (int i = 0; i < 150; ++i) {
    const RandomProgram one = random_program(random, {6, 8});
    const Machine machine = narrow_machine(one, 1 + i % 4);
    ProgramSearch search(machine, one.spec, {});
    for (int j = 0; j < 6; ++j) {
      GemmSpec spec = one.spec;
      spec.m = 1 + static_cast<int64_t>(random() % 150);
      spec.n = 1 + static_cast<int64_t>(random() % 150);
      std::optional<Program> expected;
      try {
        expected.emplace(choose_program(machine, spec));
      } catch (const InputError&) {
        EXPECT_THROW(search.fastest(spec.m, spec.n), InputError);
        continue;
      }
      const std::optional<FoundProgram> found = search.fastest(spec.m, spec.n);
      ASSERT_TRUE(found) << one.text();
      EXPECT_EQ(found->program.tiling(), expected->tiling()) << one.text();
      EXPECT_EQ(found->report, program_cycles(*expected)) << one.text();
      ++compared;
    }
  }
  EXPECT_GT(compared, 400);
}

// Five tiles of rows are a candidate where five are all there are. For fifteen they would be faster
// than the candidates one, two and four, but are none: as a guess they would refuse them all.
TEST(ProgramSearch, GuessesCandidatesOnly) {
  Machine machine = round_machine();
  machine.l0c_bytes = int64_t{2} * 5 * 1024;
  const GemmSpec spec{80, 16, 640, kMxfp4};
  TilingChoice choice;
  choice.loop_order = LoopOrder::kRowsOuter;
  choice.residency = Residency::kStreamed;
  ProgramSearch search(machine, spec, choice);
  const std::optional<FoundProgram> five = search.fastest(80, 16);
  ASSERT_TRUE(five);
  ASSERT_EQ(five->program.tiling().row_tiles, 5);
  GemmSpec larger = spec;
  larger.m = 240;
  const int64_t total = program_cycles(choose_program(machine, larger, choice)).total;
  ASSERT_LT(program_cycles(Program(machine, larger, five->program.tiling())).total, total);
  const std::optional<FoundProgram> found = search.fastest(240, 16);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->report.total, total);
  EXPECT_TRUE(search.surely_within(240, 16, total));
  EXPECT_FALSE(search.surely_within(240, 16, total - 1));
}

TEST(ProgramSearch, AnswersWithinTheLimitOnly) {
  const Machine machine = round_machine();
  for (const GemmSpec& spec : {GemmSpec{100, 70, 300, kMxfp4}, GemmSpec{16, 400, 64, kHif4},
                               GemmSpec{1, 1, 1000, kNvfp4}}) {
    const int64_t total = program_cycles(choose_program(machine, spec)).total;
    ProgramSearch search(machine, spec, {});
    EXPECT_FALSE(search.fastest(spec.m, spec.n, total - 1));
    const std::optional<FoundProgram> found = search.fastest(spec.m, spec.n, total);
    ASSERT_TRUE(found);
    EXPECT_EQ(found->report.total, total);
    EXPECT_FALSE(search.fastest(spec.m, spec.n, total - 1));
  }
}

TEST(ProgramSearch, AFixedTilingIsKept) {
  const GemmSpec spec{64, 64, 256, kMxfp4};
  TilingChoice choice;
  choice.tiling = Tiling{1, 2, 1};
  ProgramSearch search(round_machine(), spec, choice);
  const std::optional<FoundProgram> found = search.fastest(64, 64);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->program.tiling(), *choice.tiling);
  EXPECT_FALSE(search.fastest(64, 64, found->report.total - 1));
}

}  // namespace
}  // namespace nibblecore
