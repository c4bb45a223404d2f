// SPDX-License-Identifier: Apache-2.0
#include "tests/unit/machine/random_programs.hpp"

#include <algorithm>
#include <sstream>
#include <vector>

namespace nibblecore {
namespace {

constexpr int64_t kEverything = int64_t{1} << 40;

class Dice {
 public:
  explicit Dice(std::mt19937& random) : random_(random) {}

  int64_t between(int64_t least, int64_t most) {
    return std::uniform_int_distribution<int64_t>(least, most)(random_);
  }
  bool one_in(int64_t n) { return between(1, n) == 1; }
  template <class T>
  T of(const std::vector<T>& choices) {
    return choices[static_cast<size_t>(between(0, static_cast<int64_t>(choices.size()) - 1))];
  }
  /// Small ones as likely as large ones.
  int64_t spread(int64_t most) { return between(1, between(1, most)); }

 private:
  std::mt19937& random_;
};

Machine random_machine(Dice& dice, const BlockFormat& format, bool depth_of_64) {
  Machine machine = round_machine();
  const std::vector<int> depths = depth_of_64 ? std::vector<int>{64}
                                  : format.block == 64
                                      ? std::vector<int>{64, 128}
                                      : std::vector<int>{format.block, 64, 96, 128};
  machine.core = {static_cast<int>(dice.between(1, 5)), static_cast<int>(dice.between(1, 5)),
                  dice.of(depths)};
  machine.accumulate_latency = dice.spread(9);
  machine.memory = make_rate(dice.spread(600), dice.spread(5));
  machine.memory_latency = dice.between(0, 1) * dice.between(0, 60);
  machine.l1_to_l0a = make_rate(dice.spread(400), dice.spread(3));
  machine.l1_to_l0b = make_rate(dice.spread(400), dice.spread(3));
  machine.l1_latency = dice.between(0, 1) * dice.between(0, 9);
  machine.quantizer_values_per_cycle = dice.spread(300);
  machine.quantizer_latency = dice.between(0, 9);
  machine.residual_latency = dice.between(0, 9);
  return machine;
}

GemmSpec random_spec(Dice& dice, const BlockFormat& format) {
  GemmSpec spec{1, 1, 1, format};
  const std::vector<OperandPath> paths{OperandPath::kPacked, OperandPath::kOnlineBf16,
                                       OperandPath::kOnlineFp32};
  spec.a = dice.of(paths);
  spec.b = dice.of(paths);
  if (spec.a != OperandPath::kPacked && !dice.one_in(3)) {
    spec.residual = kResidualPatterns[static_cast<size_t>(dice.between(1, 4))].pattern;
    spec.residual_build =
        dice.of<ResidualBuild>({ResidualBuild::kSerial, ResidualBuild::kParallel});
    spec.residual_order =
        dice.of<ResidualOrder>({ResidualOrder::kInterleaved, ResidualOrder::kAppended});
    spec.residual_accumulator =
        dice.of<ResidualAccumulator>({ResidualAccumulator::kShared, ResidualAccumulator::kOwn});
  }
  spec.start = dice.one_in(3) ? Start::kFromMemory : Start::kZero;
  spec.output = dice.one_in(3) ? OutputWidth::kBf16 : OutputWidth::kFp32;
  return spec;
}

/// Factors of macro blocks, of an operand that can have any.
void draw_factors(Dice& dice, int64_t depth, int64_t steps, GemmSpec& spec) {
  const bool a = spec.a == OperandPath::kPacked;
  const bool b = spec.b == OperandPath::kPacked;
  const bool has_tensor_scale = spec.format.scale == ScaleKind::kUe4m3;
  if ((!a && !b) || has_tensor_scale || dice.one_in(3)) {
    return;
  }
  spec.a_has_factors = a && (!b || dice.one_in(2));
  spec.b_has_factors = b && (!spec.a_has_factors || dice.one_in(2));
  spec.macro_length = depth * dice.spread(std::min<int64_t>(steps, 4));
  spec.macro_epilogue = dice.of<MacroEpilogue>({MacroEpilogue::kFused, MacroEpilogue::kSeparate});
}

/// A policy that adds in nodes, where it goes with the GEMM.
void draw_accumulation(Dice& dice, int64_t depth, GemmSpec& spec) {
  const bool takes_nodes = spec.format.element == ElementKind::kE2m1 &&
                           spec.residual == ResidualPattern::kNone && depth % kFusedWidth == 0;
  if (takes_nodes && dice.one_in(2)) {
    spec.accumulation =
        dice.of<Accumulation>({Accumulation::kBlackwell, Accumulation::kBlackwellV1});
  }
}

}  // namespace

std::string RandomProgram::text() const {
  std::ostringstream out;
  out << spec.format.name << " " << spec.m << "x" << spec.n << "x" << spec.k << ", a "
      << static_cast<int>(spec.a) << ", b " << static_cast<int>(spec.b) << ", residual "
      << name_of(spec.residual) << " " << name_of(spec.residual_build) << " "
      << name_of(spec.residual_order) << " accumulator "
      << static_cast<int>(spec.residual_accumulator) << ", macro " << spec.macro_length << " "
      << spec.a_has_factors << spec.b_has_factors << static_cast<int>(spec.macro_epilogue) << ", "
      << name_of(spec.accumulation) << ", start " << static_cast<int>(spec.start) << ", core "
      << machine.core.rows << "x" << machine.core.columns << "x" << machine.core.depth
      << ", tiling " << tiling.row_tiles << "x" << tiling.column_tiles << "x" << tiling.k_steps
      << ", loop " << static_cast<int>(tiling.loop_order) << ", steps "
      << static_cast<int>(tiling.step_order) << ", kept " << static_cast<int>(tiling.residency)
      << ", memory " << machine.memory.bytes << "/" << machine.memory.cycles << " + "
      << machine.memory_latency << ", L " << machine.accumulate_latency << ", l1 "
      << machine.l1_to_l0a.bytes << "/" << machine.l1_to_l0a.cycles << " "
      << machine.l1_to_l0b.bytes << "/" << machine.l1_to_l0b.cycles << " + " << machine.l1_latency
      << ", quantizer " << machine.quantizer_values_per_cycle << " + " << machine.quantizer_latency
      << " + " << machine.residual_latency;
  return out.str();
}

RandomProgram random_program(std::mt19937& random, const RandomExtents& extents) {
  Dice dice(random);
  const BlockFormat format = dice.of<BlockFormat>({kMxfp4, kHif4, kNvfp4});
  RandomProgram result{{}, random_spec(dice, format), {}};
  GemmSpec& spec = result.spec;
  const bool interleaved =
      spec.residual != ResidualPattern::kNone && spec.residual_order == ResidualOrder::kInterleaved;
  result.machine = random_machine(dice, format, interleaved);
  const Machine& machine = result.machine;
  // Whole tiles and steps as often as any size.
  const auto extent = [&](int64_t tiles, int64_t size) {
    const int64_t whole = dice.spread(tiles) * size;
    return dice.one_in(2) ? whole : whole - dice.between(0, size - 1);
  };
  spec.m = extent(extents.tiles, machine.core.rows);
  spec.n = extent(extents.tiles, machine.core.columns);
  spec.k = extent(extents.steps, machine.core.depth);
  draw_factors(dice, machine.core.depth, extents.steps, spec);
  draw_accumulation(dice, machine.core.depth, spec);
  do {
    result.tiling = {dice.spread(4), dice.spread(4), dice.spread(6)};
    if (dice.one_in(4)) {
      result.tiling.k_steps = extents.steps;
    }
    if (spec.residual == ResidualPattern::kBlock32x64At50 && dice.one_in(2)) {
      result.tiling.row_tiles *= 32;
    }
    result.tiling.loop_order =
        dice.of<LoopOrder>({LoopOrder::kRowsOuter, LoopOrder::kColumnsOuter});
    result.tiling.step_order = dice.of<StepOrder>({StepOrder::kTilesInner, StepOrder::kStepsInner});
    result.tiling.residency = dice.of<Residency>({Residency::kStreamed, Residency::kOuterKept});
  } while (!fits(machine, spec, result.tiling));
  return result;
}

Machine exactly_full(const RandomProgram& random) {
  const BufferUse use = buffer_use(random.machine, random.spec, random.tiling);
  Machine machine = random.machine;
  machine.l1_bytes = use.l1_bytes;
  machine.l0a_bytes = use.l0a_bytes;
  machine.l0b_bytes = use.l0b_bytes;
  machine.l0c_bytes = use.l0c_bytes;
  return machine;
}

Machine round_machine() {
  Machine machine{};
  machine.name = "round";
  machine.cores = 1;
  machine.clock_hertz = 1'000'000'000;
  machine.core = kDefaultCore;
  machine.accumulate_latency = 2;
  machine.l1_bytes = kEverything;
  machine.l0a_bytes = kEverything;
  machine.l0b_bytes = kEverything;
  machine.l0c_bytes = kEverything;
  // One tile of MXFP4 operand, a step deep, is 16 x 2 x 17 = 544 bytes: 2 cycles of the port and
  // 1 of a move.
  machine.memory = {272, 1};
  machine.memory_latency = 5;
  machine.l1_to_l0a = {544, 1};
  machine.l1_to_l0b = {544, 1};
  machine.l1_latency = 1;
  machine.quantizer_values_per_cycle = 256;
  machine.quantizer_latency = 4;
  machine.residual_latency = 3;
  machine.bf16_macs_per_cycle = 4096;
  return machine;
}

}  // namespace nibblecore
