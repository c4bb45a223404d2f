// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "model/analysis/signal_to_noise.hpp"
#include "model/analysis/ulp.hpp"
#include "model/machine/core_description.hpp"
#include "model/machine/cycle_counts.hpp"
#include "model/quantize/operand_statistics.hpp"

namespace nibblecore::tb {

/// What a replay measures, of one GEMM or summed over several.
struct Measures {
  int64_t gemms = 0;      ///< calls, records times their count
  int64_t simulated = 0;  ///< of those, computed by the core
  int64_t macs = 0;
  int64_t simulated_macs = 0;
  int64_t steps = 0;
  CycleCounts cycles;
  int64_t outputs = 0;
  int64_t mismatches = 0;           ///< SystemC core against golden reference, in bits
  int64_t emulator_mismatches = 0;  ///< emulator against golden reference, in bits
  UlpHistogram qdq_ulp;             ///< core against the framework's QDQ product
  SignalToNoise signal_to_noise;    ///< core against the unquantized product in FP64
  OperandStatistics a;
  OperandStatistics b;

  /// Adds `count` identical calls. Costs and outputs count each; the statistics of values are
  /// taken once, since repeating them says nothing new.
  void add(const Measures& other, int64_t count);

  /// Useful multiply-accumulates over those that the array could have done in these cycles; 0 where
  /// nothing was simulated.
  double utilisation(const CoreDescription& core) const;
};

OperandStatistics& operator+=(OperandStatistics& sum, const OperandStatistics& other);

/// Part of the non-zero operands, 0 where there are none.
double share(int64_t part, int64_t whole);

}  // namespace nibblecore::tb
