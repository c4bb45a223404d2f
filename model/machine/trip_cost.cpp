// SPDX-License-Identifier: Apache-2.0
#include "model/machine/trip_cost.hpp"

#include <algorithm>
#include <string_view>

#include "model/common/checked.hpp"

namespace nibblecore {
namespace {

constexpr std::string_view kPlace = "cycles of a chunk";
// The quantizer's output register, in front of L0.
constexpr int64_t kQuantizerStage = 1;

}  // namespace

TripCost trip_cost(const Program& program, const ChunkBody& body, const PassCounts& counts) {
  const Machine& machine = program.machine();
  const int64_t beat = program.cycles_a_beat();
  TripCost cost;
  cost.load_a = machine.memory.duration(body.load_a_bytes);
  cost.load_b = machine.memory.duration(body.load_b_bytes);
  cost.start = machine.memory.duration(body.start_bytes);
  cost.store = machine.memory.duration(body.store_bytes);
  cost.move_a = checked_add(machine.l1_to_l0a.duration(body.mask_bytes),
                            std::max(machine.l1_to_l0a.duration(body.move_a_bytes),
                                     checked_multiply(body.quantize_a_beats, beat, kPlace)),
                            kPlace);
  cost.move_b = std::max(machine.l1_to_l0b.duration(body.move_b_bytes),
                         checked_multiply(body.quantize_b_beats, beat, kPlace));
  cost.steps = step_times(program, counts, body.tiles());

  constexpr int64_t kRegisters = 8;  // the constants of a few cycles between stages
  for (const int64_t part :
       {cost.load_a, cost.load_b, cost.start, cost.store, cost.move_a, cost.move_b,
        machine.memory_latency, move_a_latency(program), move_b_latency(program), cost.steps.result,
        cost.steps.accumulators_free, kRegisters}) {
    cost.longest = checked_add(cost.longest, part, kPlace);
  }
  return cost;
}

int64_t move_a_latency(const Machine& machine, const GemmSpec& spec) {
  if (spec.a == OperandPath::kPacked) {
    return machine.l1_latency;
  }
  const bool residual = spec.residual != ResidualPattern::kNone;
  return machine.l1_latency + machine.quantizer_latency +
         (residual ? machine.residual_latency : 0) + kQuantizerStage;
}

int64_t move_b_latency(const Machine& machine, const GemmSpec& spec) {
  return spec.b == OperandPath::kPacked
             ? machine.l1_latency
             : machine.l1_latency + machine.quantizer_latency + kQuantizerStage;
}

int64_t move_a_latency(const Program& program) {
  return move_a_latency(program.machine(), program.spec());
}

int64_t move_b_latency(const Program& program) {
  return move_b_latency(program.machine(), program.spec());
}

}  // namespace nibblecore
