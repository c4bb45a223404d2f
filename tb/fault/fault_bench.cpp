// SPDX-License-Identifier: Apache-2.0
#include "tb/fault/fault_bench.hpp"

#include "hw/datapath/width.hpp"
#include "model/common/error.hpp"

namespace nibblecore::tb {

std::string_view name_of(Detection detection) {
  switch (detection) {
    case Detection::kNone:
      return "none";
    case Detection::kValue:
      return "value";
    case Detection::kCycles:
      return "cycles";
    case Detection::kProtocol:
      return "protocol";
    case Detection::kAssertion:
      return "assertion";
  }
  throw InternalError("unknown detection");
}

class FaultBench::Relay final : public hw::Probe {
 public:
  void set(hw::Probe& probe) { probe_ = &probe; }

  void on_cycle(int64_t cycle) override { probe_->on_cycle(cycle); }
  void on_step(const hw::StepTag& tag) override { probe_->on_step(tag); }
  void on_block(const hw::BlockTag& tag) override { probe_->on_block(tag); }
  void on_bus(hw::Site site, int64_t index, int32_t* lanes, int count) override {
    probe_->on_bus(site, index, lanes, count);
  }
  void on_wide_bus(hw::Site site, int64_t index, int64_t& value) override {
    probe_->on_wide_bus(site, index, value);
  }

 private:
  hw::Probe* probe_ = nullptr;
};

FaultBench::FaultBench() : relay_(std::make_unique<Relay>()), outer_(sc_core::sc_curr_simcontext) {}

FaultBench::~FaultBench() {
  end_simulation();
  sc_core::sc_curr_simcontext = outer_;
}

void FaultBench::begin_simulation() {
  if (bench_ == nullptr) {
    sc_core::sc_curr_simcontext = nullptr;  // the kernel makes one
    bench_ = std::make_unique<ProbeBench>("fault_bench", fault_machine(), hw::SimdTarget::kBaseline,
                                          BoundMemory{}, hw::ProbeHooks(*relay_));
  }
}

void FaultBench::end_simulation() {
  if (bench_ != nullptr) {
    bench_.reset();
    delete sc_core::sc_curr_simcontext;
    sc_core::sc_curr_simcontext = nullptr;
  }
}

Detection FaultBench::run(const FaultStimulus& stimulus, hw::Probe& probe) {
  begin_simulation();
  relay_->set(probe);
  std::vector<uint32_t> d;
  const CoreGemm gemm = stimulus.gemm(d);
  try {
    const CycleReport cycles = bench_->run(stimulus.program(), gemm);
    if (d != stimulus.golden()) {
      return Detection::kValue;
    }
    return cycles == stimulus.cycles() ? Detection::kNone : Detection::kCycles;
  } catch (const std::exception& error) {
    // The kernel turns what a process throws into a report of its own.
    const std::string_view what = error.what();
    end_simulation();
    return what.find(hw::kWidthExceeded) == std::string_view::npos ? Detection::kProtocol
                                                                   : Detection::kAssertion;
  }
}

}  // namespace nibblecore::tb
