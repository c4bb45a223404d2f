// SPDX-License-Identifier: Apache-2.0
#include "tb/bench/core_bench.hpp"

#include <string>

#include "model/common/error.hpp"
#include "model/machine/cycle_model.hpp"

namespace nibblecore::tb {
namespace {

sc_core::sc_time cycles_time(int64_t cycles) {
  return sc_core::sc_time(static_cast<double>(cycles), sc_core::SC_NS);
}

// No stimulus of the benches slows a core by more: a GEMM that needs longer hangs.
constexpr int64_t kHangFactor = 200;

}  // namespace

CoreBench::CoreBench(const sc_core::sc_module_name& name, const CoreDescription& description,
                     hw::SimdTarget target)
    : sc_core::sc_module(name),
      description_(description),
      clock_("clock", 1, sc_core::SC_NS),
      core_("core", description, target) {
  core_.clock(clock_);
  core_.reset_n(reset_n_);
  core_.done(done_);
  SC_METHOD(on_done);
  sensitive << done_.posedge_event();
  dont_initialize();
}

void CoreBench::on_done() { sc_core::sc_pause(); }

void CoreBench::reset_core() {
  reset_n_.write(false);
  sc_core::sc_start(cycles_time(2));
  reset_n_.write(true);
  sc_core::sc_start(sc_core::SC_ZERO_TIME);
}

void CoreBench::initialise() {
  if (!initialised_) {
    reset_core();
    initialised_ = true;
  }
}

void CoreBench::idle(int64_t cycles) {
  initialise();
  sc_core::sc_start(cycles_time(cycles));
}

void CoreBench::require_runnable(const hw::GemmJob& job) const {
  if (job.a->k != job.b->k || job.a->format.element != job.b->format.element ||
      job.a->format.scale != job.b->format.scale || job.a->format.block != job.b->format.block) {
    throw InputError("operands of a GEMM", "A and B differ in format or K");
  }
  if (job.m() <= 0 || job.n() <= 0 || job.k() <= 0) {
    throw InputError("operands of a GEMM", "M, N and K must be positive");
  }
  require_supported(description_, job.format());
}

CycleCounts CoreBench::run(const hw::GemmJob& job) {
  require_runnable(job);
  initialise();
  core_.start(job);
  const int64_t limit =
      kHangFactor * (gemm_cycles(description_, job.m(), job.n(), job.k()).total() + 1);
  sc_core::sc_start(cycles_time(limit));
  if (sc_core::sc_get_status() != sc_core::SC_PAUSED || !done_.read()) {
    throw InternalError("the core did not finish within " + std::to_string(limit) + " cycles");
  }
  const CycleCounts cycles = core_.finish();
  // A waveform samples when time goes on: let it, before the next GEMM overwrites the last values.
  idle(1);
  return cycles;
}

void CoreBench::run_and_reset(const hw::GemmJob& job, int64_t cycles) {
  require_runnable(job);
  reset_core();
  core_.start(job);
  sc_core::sc_start(cycles_time(cycles));
  reset_core();
  initialised_ = true;
}

}  // namespace nibblecore::tb
