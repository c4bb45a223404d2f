// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include <systemc>
#include <tlm>

#include "hw/units/bandwidth_memory.hpp"
#include "hw/units/core.hpp"
#include "model/machine/cycle_report.hpp"
#include "model/machine/program.hpp"
#include "tb/bench/core_gemm.hpp"

namespace nibblecore::tb {

/// Another memory for a bench, in place of the built-in one.
struct BoundMemory {
  /// Speaks the TLM-2.0 base protocol, transport_dbg included: the bench puts operands into the
  /// memory and takes results from it through that. Addresses start at 0.
  tlm::tlm_target_socket<>* socket = nullptr;
  /// Largest burst that it takes, in bytes.
  int64_t largest_burst = hw::kWholeTransfers;
};

/// A testbench around one core and its memory: clock (1 ns), reset, and a watcher that pauses the
/// simulation when a GEMM is done. One bench can run any number of GEMMs, one after the other.
template <class Hooks>
class BasicCoreBench final : public sc_core::sc_module {
 public:
  BasicCoreBench(const sc_core::sc_module_name& name, const Machine& machine,
                 hw::SimdTarget target = hw::best_simd_target(), const BoundMemory& memory = {},
                 Hooks hooks = Hooks());
  BasicCoreBench(const BasicCoreBench&) = delete;
  BasicCoreBench& operator=(const BasicCoreBench&) = delete;

  /// Runs one GEMM by this program to its end. InternalError where operands and program don't agree
  /// or the core does not finish.
  CycleReport run(const Program& program, const CoreGemm& gemm,
                  hw::TimelineSink* timeline = nullptr);

  /// Lets the clock run without work. A waveform records a value only once time has gone on.
  void idle(int64_t cycles);

  /// Starts a GEMM and abandons it by a reset after `cycles`, as a fault test would.
  void run_and_reset(const Program& program, const CoreGemm& gemm, int64_t cycles);

  hw::BasicCore<Hooks>& core() { return core_; }
  const Machine& machine() const { return machine_; }
  void trace(sc_core::sc_trace_file* file) const override { core_.trace(file); }

 private:
  SC_HAS_PROCESS(BasicCoreBench);
  void on_done();
  void reset_core();
  void initialise();
  hw::GemmJob load(const Program& program, const CoreGemm& gemm);
  void access(tlm::tlm_command command, uint64_t address, uint8_t* data, size_t length);

  Machine machine_;
  sc_core::sc_clock clock_;
  sc_core::sc_signal<bool> reset_n_{"reset_n"};
  sc_core::sc_signal<bool> done_{"done"};
  hw::BasicCore<Hooks> core_;
  std::unique_ptr<hw::BandwidthMemory> memory_;
  bool initialised_ = false;
};

extern template class BasicCoreBench<hw::NoHooks>;
extern template class BasicCoreBench<hw::ProbeHooks>;

using CoreBench = BasicCoreBench<hw::NoHooks>;
/// Around the core whose buses a probe can watch and change.
using ProbeBench = BasicCoreBench<hw::ProbeHooks>;

}  // namespace nibblecore::tb
