// SPDX-License-Identifier: Apache-2.0
#include "tb/replay/measures.hpp"

namespace nibblecore::tb {

OperandStatistics& operator+=(OperandStatistics& sum, const OperandStatistics& other) {
  sum.non_zero += other.non_zero;
  sum.underflows += other.underflows;
  sum.saturations += other.saturations;
  return sum;
}

double share(int64_t part, int64_t whole) {
  return whole == 0 ? 0.0 : static_cast<double>(part) / static_cast<double>(whole);
}

void Measures::add(const Measures& other, int64_t count) {
  gemms += other.gemms * count;
  simulated += other.simulated * count;
  macs += other.macs * count;
  simulated_macs += other.simulated_macs * count;
  steps += other.steps * count;
  cycles.add(other.cycles, count);
  outputs += other.outputs * count;
  mismatches += other.mismatches * count;
  emulator_mismatches += other.emulator_mismatches * count;
  qdq_ulp += other.qdq_ulp;
  signal_to_noise += other.signal_to_noise;
  a += other.a;
  b += other.b;
}

double Measures::utilisation(const CoreDescription& core) const {
  const double possible =
      static_cast<double>(cycles.total()) * static_cast<double>(core.macs_a_step());
  return possible == 0 ? 0.0 : static_cast<double>(simulated_macs) / possible;
}

}  // namespace nibblecore::tb
