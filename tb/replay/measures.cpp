// SPDX-License-Identifier: Apache-2.0
#include "tb/replay/measures.hpp"

#include "tb/replay/share.hpp"

namespace nibblecore::tb {

void Measures::add(const Measures& other, int64_t count) {
  gemms += other.gemms * count;
  simulated += other.simulated * count;
  numbers += other.numbers * count;
  synthetic += other.synthetic * count;
  macs += other.macs * count;
  simulated_macs += other.simulated_macs * count;
  steps += other.steps * count;
  cycles.add(other.cycles, count);
  work.add(other.work, count);
  roofline_cycles += other.roofline_cycles * count;
  bf16_cycles += other.bf16_cycles * count;
  bf16_roofline_cycles += other.bf16_roofline_cycles * count;
  unquantized_cycles += other.unquantized_cycles * count;
  outputs += other.outputs * count;
  compared += other.compared * count;
  mismatches += other.mismatches * count;
  emulator_mismatches += other.emulator_mismatches * count;
  qdq_ulp += other.qdq_ulp;
  signal_to_noise += other.signal_to_noise;
  output += other.output;
  a += other.a;
  b += other.b;
}

double Measures::speed_up() const { return share(bf16_cycles, cycles.total); }

double Measures::utilisation(const Machine& machine) const {
  const double possible = static_cast<double>(cycles.total) *
                          static_cast<double>(machine.core.macs_a_step()) *
                          static_cast<double>(machine.cores);
  return possible == 0 ? 0.0 : static_cast<double>(simulated_macs) / possible;
}

}  // namespace nibblecore::tb
