// SPDX-License-Identifier: Apache-2.0
// A memory of the user's own in place of the built-in one (docs/memory.md).
#include <numeric>
#include <random>

#include <gtest/gtest.h>

#include "model/machine/tiler.hpp"
#include "tb/bench/core_bench.hpp"
#include "tests/hardware/simulation_test.hpp"
#include "tests/hardware/support/checked_run.hpp"
#include "tests/hardware/support/four_phase_memory.hpp"
#include "tests/hardware/support/random_gemm.hpp"
#include "tests/hardware/support/row_buffer_memory.hpp"
#include "tests/hardware/support/small_machine.hpp"

namespace nibblecore::tb {
namespace {

using test::AnswerStyle;
using test::FourPhaseMemory;
using test::RandomGemm;
using test::RowBufferMemory;
using test::run_for_bits;
using test::small_machine;

constexpr size_t kMemoryBytes = 1 << 20;
constexpr int64_t kBurst = 64;

/// Start values, a residual and several regions and chunks: every kind of transfer.
GemmSpec busy_spec(const BlockFormat& format) {
  GemmSpec spec{70, 60, 400, format};
  spec.a = OperandPath::kOnlineBf16;
  spec.residual = ResidualPattern::kTwoOfFour;
  spec.start = Start::kFromMemory;
  return spec;
}

int64_t stored_address(const Program& program) {
  return program.a_image_bytes() + program.b_image_bytes() + program.start_image_bytes();
}

class BoundMemoryTest : public test::SimulationTest {
 protected:
  /// Runs a GEMM in every format on a core that is bound to this memory; the sum of the cycles.
  template <class Memory>
  CycleReport run(Memory& memory, int64_t largest_burst) {
    CoreBench bench("bench", small_machine(), hw::best_simd_target(),
                    {&memory.socket, largest_burst});
    CycleReport sum;
    for (const BlockFormat& format : {kMxfp4, kHif4, kNvfp4}) {
      const GemmSpec spec = busy_spec(format);
      const Program program = choose_program(bench.machine(), spec);
      RandomGemm gemm(spec, preset(format, ""), random);
      const CycleReport report = run_for_bits(bench, program, gemm);
      const CycleReport built_in = program_cycles(program);
      EXPECT_NE(report.total, built_in.total);
      EXPECT_EQ(report.loaded_bytes, built_in.loaded_bytes);
      EXPECT_EQ(report.stored_bytes, built_in.stored_bytes);
      sum.add(report, 1);
    }
    EXPECT_EQ(memory.bytes().bytes_read(), sum.loaded_bytes);
    EXPECT_EQ(memory.bytes().bytes_written(), sum.stored_bytes);
    return sum;
  }

  std::mt19937 random{12};
};

TEST_F(BoundMemoryTest, ALooselyTimedMemoryGivesTheSameBitsAndItsOwnCycles) {
  RowBufferMemory memory("memory", kMemoryBytes);
  const CycleReport report = run(memory, kBurst);
  EXPECT_GT(memory.hits(), memory.misses());
  EXPECT_GT(memory.misses(), 10);
  // One burst at a time: the port is occupied for at least what the rows take.
  EXPECT_GE(report[Unit::kMemoryPort].busy, 4 * memory.hits() + 15 * memory.misses());
}

TEST_F(BoundMemoryTest, EveryWayToAnswerIsUnderstood) {
  for (const AnswerStyle style :
       {AnswerStyle::kCalls, AnswerStyle::kNoEndReq, AnswerStyle::kReturned, AnswerStyle::kResponse,
        AnswerStyle::kCompleted}) {
    for (const int64_t burst : {kBurst, hw::kWholeTransfers}) {
      SCOPED_TRACE(testing::Message()
                   << "style " << static_cast<int>(style) << ", burst " << burst);
      sc_core::sc_curr_simcontext = nullptr;
      FourPhaseMemory memory("memory", kMemoryBytes, style, 3);
      const CycleReport report = run(memory, burst);
      if (burst == kBurst) {
        EXPECT_EQ(memory.largest_burst(), kBurst);
        EXPECT_GE(memory.bursts(), (report.loaded_bytes + report.stored_bytes) / kBurst);
      }
    }
  }
}

TEST_F(BoundMemoryTest, DataMayComeInAnyOrder) {
  FourPhaseMemory memory("memory", kMemoryBytes, AnswerStyle::kCalls, 4);
  run(memory, kBurst);
  EXPECT_GT(memory.overtaken(), 100);
}

TEST_F(BoundMemoryTest, EveryByteOfTheImagesIsReadAndEveryByteOfTheResultWrittenOnce) {
  FourPhaseMemory memory("memory", kMemoryBytes, AnswerStyle::kCalls, 5);
  CoreBench bench("bench", small_machine(), hw::best_simd_target(), {&memory.socket, kBurst});
  const GemmSpec spec = busy_spec(kHif4);
  // Both operands pass as often as there are regions across.
  const Program program(bench.machine(), spec, {2, 2, 2});
  RandomGemm gemm(spec, preset(kHif4, ""), random);
  run_for_bits(bench, program, gemm);
  const auto range = [](const std::vector<uint32_t>& counts, int64_t first, int64_t count) {
    return std::vector<uint32_t>(counts.begin() + first, counts.begin() + first + count);
  };
  const int64_t a = program.a_image_bytes();
  const int64_t b = program.b_image_bytes();
  const int64_t start = program.start_image_bytes();
  const int64_t store = program.store_image_bytes();
  const auto all = [](int64_t count, uint32_t times) {
    return std::vector<uint32_t>(static_cast<size_t>(count), times);
  };
  // 3 x 2 regions; an appended or interleaved residual does not load A again within one chunk.
  const std::vector<uint32_t>& reads = memory.bytes().reads();
  EXPECT_EQ(range(reads, 0, a), all(a, 2));
  EXPECT_EQ(range(reads, a, b), all(b, 3));
  EXPECT_EQ(range(reads, a + b, start), all(start, 1));
  EXPECT_EQ(range(reads, stored_address(program), store), all(store, 0));
  const std::vector<uint32_t>& writes = memory.bytes().writes();
  EXPECT_EQ(range(writes, 0, a + b + start), all(a + b + start, 0));
  EXPECT_EQ(range(writes, stored_address(program), store), all(store, 1));
  EXPECT_EQ(std::accumulate(writes.begin(), writes.end(), int64_t{0}), store);
}

TEST_F(BoundMemoryTest, AMemoryThatIsTooSmallIsAnError) {
  RowBufferMemory memory("memory", 1000);
  CoreBench bench("bench", small_machine(), hw::best_simd_target(), {&memory.socket, kBurst});
  const GemmSpec spec = busy_spec(kMxfp4);
  RandomGemm gemm(spec, preset(kMxfp4, ""), random);
  EXPECT_THROW(bench.run(choose_program(bench.machine(), spec), gemm.gemm()), InternalError);
}

}  // namespace
}  // namespace nibblecore::tb
