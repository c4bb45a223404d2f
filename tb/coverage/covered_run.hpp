// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "model/machine/cycle_report.hpp"
#include "tb/bench/scoreboard.hpp"
#include "tb/coverage/core_coverage.hpp"
#include "tb/stimulus/stimulus.hpp"

namespace nibblecore::tb {

/// What a random GEMM came to on the instrumented core.
struct CoveredRun {
  Comparison comparison;  ///< with the golden reference
  int64_t wrong_additions = 0;
  CycleReport measured;
  CycleReport modelled;
  bool cycles_agree = false;  ///< equal; under back-pressure not fewer than modelled
  std::string failure;        ///< what went wrong, with the seed; empty where nothing did

  bool passed() const { return failure.empty(); }
};

/// Runs the GEMM in a simulation of its own, compares its result with `golden` and its cycles with
/// the model, and collects what it covers.
CoveredRun run_covered(const Stimulus& stimulus, const std::vector<uint32_t>& golden,
                       CoreCoverage& coverage);

/// The same against what the golden reference gives.
CoveredRun run_covered(const Stimulus& stimulus, CoreCoverage& coverage);

}  // namespace nibblecore::tb
