// SPDX-License-Identifier: Apache-2.0
#include "tb/fault/fault_stimulus.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include "hw/datapath/quantizer_job.hpp"
#include "model/common/bits.hpp"
#include "model/common/checked.hpp"
#include "model/machine/program_cycles.hpp"
#include "model/quantize/largest_half.hpp"
#include "model/quantize/quantize.hpp"
#include "model/quantize/residual.hpp"
#include "model/quantize/sparsify.hpp"
#include "tb/bench/golden_result.hpp"

namespace nibblecore::tb {
namespace {

constexpr int kThreads = 1;  // GEMMs of a few tiles

GemmSpec complete(GemmSpec spec, const FaultOperand& a, const FaultOperand& b,
                  const std::vector<uint32_t>& start) {
  spec.a = a.path;
  spec.b = b.path;
  spec.a_has_factors = !a.factors.empty();
  spec.b_has_factors = !b.factors.empty();
  spec.start = start.empty() ? Start::kZero : Start::kFromMemory;
  return spec;
}

/// Regions of one tile, so that both halves of L0C take part in any GEMM of two; all of K at once,
/// in whole granules.
Tiling tiling_of(const GemmSpec& spec, int depth) {
  return {1, 1, 2 * ceil_divide(spec.k, 2 * int64_t{depth})};
}

}  // namespace

Machine fault_machine() {
  constexpr int64_t kEverything = int64_t{1} << 40;
  Machine machine{};
  machine.name = "fault2x2x64";
  machine.cores = 1;
  machine.clock_hertz = 1'000'000'000;
  machine.core = {2, 2, 64};
  machine.accumulate_latency = 1;
  machine.l1_bytes = machine.l0a_bytes = machine.l0b_bytes = machine.l0c_bytes = kEverything;
  machine.memory = machine.l1_to_l0a = machine.l1_to_l0b = {4096, 1};
  machine.memory_latency = 1;
  machine.l1_latency = 0;
  machine.quantizer_values_per_cycle = 64;
  machine.quantizer_latency = 2;
  machine.residual_latency = 1;
  machine.bf16_macs_per_cycle = 64;
  return machine;
}

hw::SiteExtents site_extents(const Program& program) {
  const CoreDescription& core = program.machine().core;
  return {core.rows,
          core.columns,
          core.depth,
          program.spec().format,
          program.blocks_a_beat(),
          2 * program.body(ChunkIndex{}).tiles(),
          program.spec().accumulation};
}

FaultStimulus::FaultStimulus(std::string name, GemmSpec spec, const Preset& preset, FaultOperand a,
                             FaultOperand b, std::vector<uint32_t> start, float residual_alpha)
    : name_(std::move(name)),
      preset_(preset),
      a_{std::move(a), {}, {}, {}, {}},
      b_{std::move(b), {}, {}, {}, {}},
      start_(std::move(start)),
      residual_alpha_(residual_alpha),
      program_(fault_machine(), complete(spec, a_.given, b_.given, start_),
               tiling_of(spec, fault_machine().core.depth)),
      cycles_(program_cycles(program_)) {
  prepare(a_, spec.m);
  prepare(b_, spec.n);
  compute_golden();
}

void FaultStimulus::prepare(Operand& operand, int64_t rows) const {
  operand.macro = {program_.spec().macro_length, operand.given.factors};
  if (operand.given.path == OperandPath::kPacked) {
    operand.packed = operand.given.packed;
    return;
  }
  const int64_t k = program_.spec().k;
  const std::vector<uint32_t>& values = operand.given.values;
  const bool is_bf16 = operand.given.path == OperandPath::kOnlineBf16;
  operand.bytes.resize(values.size() * (is_bf16 ? 2 : 4));
  for (size_t i = 0; i < values.size(); ++i) {
    const auto half = static_cast<uint16_t>(values[i] >> 16);
    if (is_bf16) {
      std::memcpy(operand.bytes.data() + 2 * i, &half, sizeof half);
    } else {
      std::memcpy(operand.bytes.data() + 4 * i, &values[i], sizeof values[i]);
    }
  }
  operand.view = {
      operand.bytes.data(), is_bf16 ? ValueType::kBf16 : ValueType::kF32, rows, k, k, 1};
  operand.packed = quantize(operand.view, preset_, kThreads);
}

void FaultStimulus::compute_golden() {
  const GemmSpec& spec = program_.spec();
  PackedMatrix kept;
  if (spec.residual != ResidualPattern::kNone) {
    const PackedMatrix dense = quantize_residual(a_.view, a_.packed, preset_, kThreads);
    kept = sparsify(dense, spec.residual, kThreads);
    mask_ = residual_mask(dense, spec.residual, kThreads);
  }
  std::vector<uint32_t> d;
  golden_ = golden_result(spec, gemm(d), a_.packed, b_.packed, kept);
}

CoreOperand FaultStimulus::core_operand(const Operand& operand, ResidualPattern residual) const {
  CoreOperand core;
  if (operand.given.path == OperandPath::kPacked) {
    core = packed_operand(operand.packed);
    core.macro = operand.macro.factors.empty() ? nullptr : &operand.macro;
    return core;
  }
  core.input = &operand.view;
  core.quantizer = hw::quantizer_job(preset_, residual, {});
  return core;
}

CoreGemm FaultStimulus::gemm(std::vector<uint32_t>& d) const {
  d.assign(static_cast<size_t>(program_.spec().m * program_.spec().n), 0);
  CoreGemm gemm{core_operand(a_, program_.spec().residual),
                core_operand(b_, ResidualPattern::kNone), start_.empty() ? nullptr : start_.data(),
                d.data(), residual_alpha_};
  gemm.a.mask = mask_;
  return gemm;
}

}  // namespace nibblecore::tb
