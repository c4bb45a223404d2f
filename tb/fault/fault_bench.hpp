// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "tb/bench/core_bench.hpp"
#include "tb/fault/fault.hpp"
#include "tb/fault/fault_stimulus.hpp"

namespace nibblecore::tb {

/// How a run of a faulty core told it from a sound one.
enum class Detection {
  kNone,
  kValue,      ///< a bit of the result differs from the golden reference's
  kCycles,     ///< the cycle report differs from the cycle model's
  kProtocol,   ///< a unit or channel found its protocol broken, or the core did not finish
  kAssertion,  ///< a value left the declared width of a bus
};
inline constexpr int kDetections = 5;
std::string_view name_of(Detection detection);

/// Runs stimuli on the probed core of fault_machine(). An error inside a simulation ends it; the
/// next run then begins another one, in place of whatever simulation the caller had.
class FaultBench {
 public:
  FaultBench();
  ~FaultBench();
  FaultBench(const FaultBench&) = delete;
  FaultBench& operator=(const FaultBench&) = delete;

  /// With `probe` at the buses.
  Detection run(const FaultStimulus& stimulus, hw::Probe& probe);

 private:
  /// Hands on to the probe of the run.
  class Relay;

  void begin_simulation();
  void end_simulation();

  std::unique_ptr<Relay> relay_;
  std::unique_ptr<ProbeBench> bench_;
  sc_core::sc_simcontext* outer_;
};

}  // namespace nibblecore::tb
