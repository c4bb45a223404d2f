// SPDX-License-Identifier: Apache-2.0
#include "tb/bench/core_bench.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "model/common/bits.hpp"
#include "model/common/checked.hpp"
#include "model/common/error.hpp"
#include "model/machine/program_cycles.hpp"
#include "tb/bench/memory_image.hpp"

namespace nibblecore::tb {
namespace {

const sc_core::sc_time& cycle() {
  static const sc_core::sc_time duration(1, sc_core::SC_NS);
  return duration;
}

// No stimulus of the benches slows a core by more: a GEMM that needs longer hangs.
constexpr int64_t kHangFactor = 200;

void require_agreement(const Program& program, const CoreGemm& gemm) {
  const GemmSpec& spec = program.spec();
  const auto factors_agree = [&](const CoreOperand& operand, bool has_factors) {
    if (operand.macro == nullptr || !has_factors) {
      return (operand.macro != nullptr) == has_factors;
    }
    const int64_t factors = operand.rows() * ceil_divide(spec.k, spec.macro_length);
    return operand.macro->length == spec.macro_length &&
           static_cast<int64_t>(operand.macro->factors.size()) == factors;
  };
  const auto agrees = [&](const CoreOperand& operand, OperandPath path, int64_t rows,
                          bool has_factors) {
    if (operand.rows() != rows || operand.k() != spec.k || !factors_agree(operand, has_factors)) {
      return false;
    }
    if (path == OperandPath::kPacked) {
      return operand.packed != nullptr && operand.packed->format.block == spec.format.block &&
             operand.packed->format.scale == spec.format.scale;
    }
    const ValueType type = path == OperandPath::kOnlineBf16 ? ValueType::kBf16 : ValueType::kF32;
    return operand.packed == nullptr && operand.input->type == type && operand.quantizer;
  };
  if (!agrees(gemm.a, spec.a, spec.m, spec.a_has_factors) ||
      !agrees(gemm.b, spec.b, spec.n, spec.b_has_factors) ||
      (gemm.c != nullptr) != (spec.start == Start::kFromMemory)) {
    throw InternalError("the operands of a GEMM are not those of its program");
  }
  if (!std::isfinite(gemm.residual_alpha)) {
    throw InputError("residual alpha", "it must be finite");
  }
}

}  // namespace

template <class Hooks>
BasicCoreBench<Hooks>::BasicCoreBench(const sc_core::sc_module_name& name, const Machine& machine,
                                      hw::SimdTarget target, const BoundMemory& memory, Hooks hooks)
    : sc_core::sc_module(name),
      machine_(machine),
      clock_("clock", cycle()),
      core_("core", machine, memory.largest_burst, target, hooks) {
  core_.clock(clock_);
  core_.reset_n(reset_n_);
  core_.done(done_);
  if (memory.socket != nullptr) {
    core_.port().socket.bind(*memory.socket);
  } else {
    memory_ = std::make_unique<hw::BandwidthMemory>("memory", machine.memory,
                                                    machine.memory_latency, cycle());
    core_.port().socket.bind(memory_->socket);
  }
  SC_METHOD(on_done);
  sensitive << done_.posedge_event();
  dont_initialize();
}

template <class Hooks>
void BasicCoreBench<Hooks>::on_done() {
  sc_core::sc_pause();
}

template <class Hooks>
void BasicCoreBench<Hooks>::reset_core() {
  reset_n_.write(false);
  sc_core::sc_start(2 * cycle());
  reset_n_.write(true);
  sc_core::sc_start(sc_core::SC_ZERO_TIME);
}

template <class Hooks>
void BasicCoreBench<Hooks>::initialise() {
  if (!initialised_) {
    reset_core();
    initialised_ = true;
  }
}

template <class Hooks>
void BasicCoreBench<Hooks>::idle(int64_t cycles) {
  initialise();
  sc_core::sc_start(static_cast<double>(cycles) * cycle());
}

template <class Hooks>
void BasicCoreBench<Hooks>::access(tlm::tlm_command command, uint64_t address, uint8_t* data,
                                   size_t length) {
  constexpr size_t kMost = size_t{1} << 30;
  for (size_t first = 0; first < length; first += kMost) {
    const size_t count = std::min(kMost, length - first);
    tlm::tlm_generic_payload transaction;
    transaction.set_command(command);
    transaction.set_address(address + first);
    transaction.set_data_ptr(data + first);
    transaction.set_data_length(static_cast<unsigned int>(count));
    transaction.set_streaming_width(static_cast<unsigned int>(count));
    if (core_.port().socket->transport_dbg(transaction) != count) {
      throw InternalError("the memory can't be reached through transport_dbg");
    }
  }
}

template <class Hooks>
hw::GemmJob BasicCoreBench<Hooks>::load(const Program& program, const CoreGemm& gemm) {
  require_agreement(program, gemm);
  initialise();
  MemoryImage image(program, gemm);
  if (memory_) {
    memory_->bytes().resize(std::max(memory_->bytes().size(), image.bytes().size()));
  }
  access(tlm::TLM_WRITE_COMMAND, 0, image.bytes().data(), image.bytes().size());
  hw::GemmJob job;
  job.program = &program;
  job.a_quantizer = gemm.a.quantizer;
  job.b_quantizer = gemm.b.quantizer;
  job.a_tensor_scale = float_bits(gemm.a.tensor_scale);
  job.b_tensor_scale = float_bits(gemm.b.tensor_scale);
  job.residual_alpha = float_bits(gemm.residual_alpha);
  job.a_address = image.a_address();
  job.b_address = image.b_address();
  job.start_address = image.start_address();
  job.store_address = image.store_address();
  return job;
}

template <class Hooks>
CycleReport BasicCoreBench<Hooks>::run(const Program& program, const CoreGemm& gemm,
                                       hw::TimelineSink* timeline) {
  const hw::GemmJob job = load(program, gemm);
  core_.start(job, timeline);
  const int64_t limit = kHangFactor * (program_cycles(program).total + 1);
  sc_core::sc_start(static_cast<double>(limit) * cycle());
  if (sc_core::sc_get_status() != sc_core::SC_PAUSED || !done_.read()) {
    throw InternalError("the core did not finish within " + std::to_string(limit) + " cycles");
  }
  const CycleReport report = core_.finish();
  // A waveform samples when time goes on: let it, before the next GEMM overwrites the last values.
  idle(1);
  std::vector<uint8_t> stored(static_cast<size_t>(program.store_image_bytes()));
  access(tlm::TLM_READ_COMMAND, job.store_address, stored.data(), stored.size());
  MemoryImage::read_result(program, stored, gemm.d);
  return report;
}

template <class Hooks>
void BasicCoreBench<Hooks>::run_and_reset(const Program& program, const CoreGemm& gemm,
                                          int64_t cycles) {
  const hw::GemmJob job = load(program, gemm);
  reset_core();
  core_.start(job);
  sc_core::sc_start(static_cast<double>(cycles) * cycle());
  reset_core();
  // A write on its way would reach the memory after the next operands.
  while (!core_.port().quiet()) {
    idle(1);
  }
}

template class BasicCoreBench<hw::NoHooks>;
template class BasicCoreBench<hw::ProbeHooks>;

}  // namespace nibblecore::tb
