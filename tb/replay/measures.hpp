// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "model/analysis/signal_to_noise.hpp"
#include "model/analysis/ulp.hpp"
#include "model/machine/cycle_report.hpp"
#include "model/machine/machine.hpp"
#include "model/machine/work_counts.hpp"
#include "model/quantize/operand_statistics.hpp"

namespace nibblecore::tb {

/// What a replay measures, of one GEMM or summed over several.
struct Measures {
  int64_t gemms = 0;      ///< calls, records times their count
  int64_t simulated = 0;  ///< of those, as 4-bit GEMMs
  int64_t numbers = 0;    ///< of those, products of numbers: an operand is no packed one
  int64_t synthetic = 0;  ///< of those computed, on operands that a fill made
  int64_t macs = 0;
  int64_t simulated_macs = 0;
  int64_t steps = 0;            ///< of all cores
  CycleReport cycles;           ///< of the slowest core; of several GEMMs, one after the other
  WorkCounts work;              ///< of all cores
  int64_t roofline_cycles = 0;  ///< the least with the memory, every operand loaded once
  int64_t bf16_cycles = 0;      ///< what the 4-bit GEMMs would take on BF16 units at full rate
  int64_t bf16_roofline_cycles =
      0;                           ///< the least that all GEMMs would take in BF16 with the memory
  int64_t unquantized_cycles = 0;  ///< the same of all other GEMMs
  int64_t outputs = 0;
  int64_t compared = 0;             ///< of those, computed by the core and compared
  int64_t mismatches = 0;           ///< SystemC core against golden reference, in bits
  int64_t emulator_mismatches = 0;  ///< emulator against golden reference, in bits
  UlpHistogram qdq_ulp;             ///< core against the framework's QDQ product
  SignalToNoise signal_to_noise;    ///< core against the unquantized product in FP64
  Agreement output;                 ///< of the results with the unquantized product
  OperandStatistics a;
  OperandStatistics b;

  /// Adds `count` identical calls. Costs and outputs count each; the statistics of values are
  /// taken once, since repeating them says nothing new.
  void add(const Measures& other, int64_t count);

  /// Cycles of all GEMMs, the unquantized ones at the BF16 rate.
  int64_t total_cycles() const { return cycles.total + unquantized_cycles; }
  /// BF16 cycles of the 4-bit GEMMs over their own; 0 where nothing was simulated.
  double speed_up() const;
  /// Useful multiply-accumulates over those that all cores could have done in these cycles; 0 where
  /// nothing was simulated.
  double utilisation(const Machine& machine) const;
};

}  // namespace nibblecore::tb
