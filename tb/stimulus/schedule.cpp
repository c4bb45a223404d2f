// SPDX-License-Identifier: Apache-2.0
#include "tb/stimulus/schedule.hpp"

#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "model/common/checked.hpp"

namespace nibblecore::tb {
namespace {

constexpr int64_t kEverything = int64_t{1} << 40;

Rate random_rate(Dice& dice, int64_t most_bytes, int64_t most_cycles) {
  const int64_t bytes = dice.spread(most_bytes);
  return make_rate(bytes, dice.spread(most_cycles));
}

/// None as often as any.
int64_t random_latency(Dice& dice, int64_t most) {
  return dice.chance(0.5) ? dice.between(0, most) : 0;
}

Machine random_machine(Dice& dice, const StimulusConstraints& constraints,
                       const BlockFormat& format, bool depth_of_64) {
  Machine machine{};
  machine.name = "random";
  machine.cores = 1;
  machine.clock_hertz = 1'000'000'000;
  const std::vector<int> depths = depth_of_64 ? std::vector<int>{64}
                                  : format.block == 64
                                      ? std::vector<int>{64, 128}
                                      : std::vector<int>{format.block, 64, 96, 128};
  const auto lanes = [&] { return static_cast<int>(dice.between(1, constraints.most_lanes)); };
  machine.core = {lanes(), lanes(), dice.of(depths)};
  machine.accumulate_latency = dice.spread(9);
  machine.l1_bytes = machine.l0a_bytes = machine.l0b_bytes = machine.l0c_bytes = kEverything;
  machine.memory = random_rate(dice, 1200, 4);
  machine.memory_latency = random_latency(dice, 60);
  machine.l1_to_l0a = random_rate(dice, 800, 3);
  machine.l1_to_l0b = random_rate(dice, 800, 3);
  machine.l1_latency = random_latency(dice, 9);
  machine.quantizer_values_per_cycle = dice.spread(300);
  // A quantizer whose blocks take longer to enter than to pass is no machine.
  machine.quantizer_latency = std::max<int64_t>(
      dice.between(1, 9), ceil_divide(format.block, machine.quantizer_values_per_cycle));
  machine.residual_latency = dice.between(0, 9);
  machine.bf16_macs_per_cycle = 4096;
  return machine;
}

OperandPath random_path(Dice& dice, double online) {
  if (!dice.chance(online)) {
    return OperandPath::kPacked;
  }
  return dice.chance(0.5) ? OperandPath::kOnlineBf16 : OperandPath::kOnlineFp32;
}

GemmSpec random_spec(Dice& dice, const StimulusConstraints& constraints,
                     const BlockFormat& format) {
  GemmSpec spec{1, 1, 1, format};
  spec.a = random_path(dice, constraints.online);
  spec.b = random_path(dice, constraints.online);
  if (spec.a != OperandPath::kPacked && dice.chance(constraints.residual)) {
    // 2:4 is what has circuits of its own.
    spec.residual = dice.of<ResidualPattern>(
        {ResidualPattern::kTwoOfFour, ResidualPattern::kTwoOfFour, ResidualPattern::kDense,
         ResidualPattern::kChannel50, ResidualPattern::kBlock32x64At50});
    spec.residual_build =
        dice.of<ResidualBuild>({ResidualBuild::kSerial, ResidualBuild::kParallel});
    spec.residual_order =
        dice.of<ResidualOrder>({ResidualOrder::kInterleaved, ResidualOrder::kAppended});
  }
  spec.start = dice.chance(constraints.start_values) ? Start::kFromMemory : Start::kZero;
  spec.output = dice.chance(constraints.bf16_output) ? OutputWidth::kBf16 : OutputWidth::kFp32;
  return spec;
}

Tiling random_tiling(Dice& dice, const StimulusConstraints& constraints, const GemmSpec& spec) {
  Tiling tiling{dice.spread(4), dice.spread(4), dice.spread(constraints.most_steps)};
  if (dice.chance(0.25)) {
    tiling.k_steps = constraints.most_steps;
  }
  if (spec.residual == ResidualPattern::kBlock32x64At50 && dice.chance(0.5)) {
    tiling.row_tiles *= kResidualTileRows;
  }
  tiling.loop_order = dice.of<LoopOrder>({LoopOrder::kRowsOuter, LoopOrder::kColumnsOuter});
  tiling.step_order = dice.of<StepOrder>({StepOrder::kTilesInner, StepOrder::kStepsInner});
  tiling.residency = dice.of<Residency>({Residency::kStreamed, Residency::kOuterKept});
  return tiling;
}

}  // namespace

std::string Schedule::text() const {
  const CoreDescription& core = machine.core;
  return fmt::format(
      "{} {}x{}x{}, a {}, b {}, residual {} {} {}, start {}, output {}, core {}x{}x{}, tiling "
      "{}x{}x{}, loop {}, steps {}, kept {}, memory {}/{} + {}, additions {}, L1 {}/{} {}/{} + {}, "
      "quantizer {} + {} + {}",
      spec.format.name, spec.m, spec.n, spec.k, static_cast<int>(spec.a), static_cast<int>(spec.b),
      name_of(spec.residual), name_of(spec.residual_build), name_of(spec.residual_order),
      static_cast<int>(spec.start), static_cast<int>(spec.output), core.rows, core.columns,
      core.depth, tiling.row_tiles, tiling.column_tiles, tiling.k_steps,
      static_cast<int>(tiling.loop_order), static_cast<int>(tiling.step_order),
      static_cast<int>(tiling.residency), machine.memory.bytes, machine.memory.cycles,
      machine.memory_latency, machine.accumulate_latency, machine.l1_to_l0a.bytes,
      machine.l1_to_l0a.cycles, machine.l1_to_l0b.bytes, machine.l1_to_l0b.cycles,
      machine.l1_latency, machine.quantizer_values_per_cycle, machine.quantizer_latency,
      machine.residual_latency);
}

Schedule random_schedule(Dice& dice, const StimulusConstraints& constraints) {
  const BlockFormat format = dice.of(constraints.formats);
  Schedule schedule{{}, random_spec(dice, constraints, format), {}};
  GemmSpec& spec = schedule.spec;
  const bool interleaved =
      spec.residual != ResidualPattern::kNone && spec.residual_order == ResidualOrder::kInterleaved;
  schedule.machine = random_machine(dice, constraints, format, interleaved);
  const CoreDescription& core = schedule.machine.core;
  // Whole tiles and steps as often as any size.
  const auto extent = [&](int64_t most, int64_t size) {
    const int64_t whole = dice.spread(most) * size;
    return dice.chance(0.5) ? whole : whole - dice.between(0, size - 1);
  };
  spec.m = extent(constraints.most_tiles, core.rows);
  spec.n = extent(constraints.most_tiles, core.columns);
  spec.k = extent(constraints.most_steps, core.depth);
  if (dice.chance(0.3)) {
    spec.k = ceil_divide(spec.k, format.block) * format.block;
  }
  do {
    schedule.tiling = random_tiling(dice, constraints, spec);
  } while (!fits(schedule.machine, spec, schedule.tiling));
  return schedule;
}

}  // namespace nibblecore::tb
