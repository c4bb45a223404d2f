// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <systemc>

#include "hw/units/core.hpp"
#include "model/machine/cycle_counts.hpp"

namespace nibblecore::tb {

/// A testbench around one core: clock (1 ns), reset, and a watcher that pauses the simulation when
/// a GEMM is done. One bench can run any number of GEMMs, one after the other.
class CoreBench final : public sc_core::sc_module {
 public:
  CoreBench(const sc_core::sc_module_name& name, const CoreDescription& description,
            hw::SimdTarget target = hw::best_simd_target());
  CoreBench(const CoreBench&) = delete;
  CoreBench& operator=(const CoreBench&) = delete;

  /// Runs one GEMM to its end. InputError where A and B differ in format or K, a size is not
  /// positive, or the core can't hold the format; InternalError where the core does not finish.
  CycleCounts run(const hw::GemmJob& job);

  /// Lets the clock run without work. A waveform records a value only once time has gone on.
  void idle(int64_t cycles);

  /// Starts a GEMM and abandons it by a reset after `cycles`, as a fault test would.
  void run_and_reset(const hw::GemmJob& job, int64_t cycles);

  hw::Core& core() { return core_; }
  const CoreDescription& description() const { return description_; }
  void trace(sc_core::sc_trace_file* file) const override { core_.trace(file); }

 private:
  SC_HAS_PROCESS(CoreBench);
  void on_done();
  void reset_core();
  void initialise();
  void require_runnable(const hw::GemmJob& job) const;

  CoreDescription description_;
  sc_core::sc_clock clock_;
  sc_core::sc_signal<bool> reset_n_{"reset_n"};
  sc_core::sc_signal<bool> done_{"done"};
  hw::Core core_;
  bool initialised_ = false;
};

}  // namespace nibblecore::tb
