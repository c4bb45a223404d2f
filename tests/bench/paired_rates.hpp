// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "tests/bench/benchmark_rows.hpp"

namespace nibblecore::bench {

/// Something to time: does its work and returns the seconds that it took.
using Timed = std::function<double()>;

/// A function timed by this process's clock.
Timed timed(std::function<void()> run);

/// One side of a comparison.
struct Contender {
  std::string name;  ///< of its row
  double work;       ///< units of work of a call
  Timed run;
  std::string note{};  ///< what a reader of its row must know beside the peer
};

/// Medians of pairs: in every repetition each contender runs right beside the peer, so that a slow
/// phase of the machine meets both. One repetition ahead warms up.
struct PairedRates {
  double rate;       ///< of the contender, the median
  double peer_rate;  ///< of the peer beside it, the median
  double ratio;      ///< of the contender's rate to the peer's, the median over pairs
};
std::vector<PairedRates> paired_rates(int repetitions, const Contender& peer,
                                      const std::vector<Contender>& contenders);

/// The rows of contenders against a peer, whose own median rate stands behind its name.
std::vector<BenchmarkRow> paired_rows(int repetitions, const Contender& peer,
                                      const std::vector<Contender>& contenders,
                                      const std::string& unit);

}  // namespace nibblecore::bench
