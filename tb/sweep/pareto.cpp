// SPDX-License-Identifier: Apache-2.0
#include "tb/sweep/pareto.hpp"

#include <algorithm>

namespace nibblecore::tb {
namespace {

Tradeoff by_cycles(const SweepRow& row) {
  const auto& cycles = row.total.cycles;
  return {cycles ? std::optional<double>(static_cast<double>(*cycles)) : std::nullopt,
          row.total.noise.decibels()};
}

Tradeoff by_bits(const SweepRow& row) {
  return {row.storage.bits_per_value(), row.total.noise.decibels()};
}

}  // namespace

bool dominates(const Tradeoff& other, const Tradeoff& one) {
  if (!other.cost || !other.gain || !one.cost || !one.gain) {
    return false;
  }
  return *other.cost <= *one.cost && *other.gain >= *one.gain &&
         (*other.cost < *one.cost || *other.gain > *one.gain);
}

void mark_pareto(std::vector<SweepRow>& rows) {
  for (SweepRow& row : rows) {
    const auto tradeoff = row.total.cycles ? by_cycles : by_bits;
    const Tradeoff own = tradeoff(row);
    row.is_pareto =
        own.cost && own.gain && std::none_of(rows.begin(), rows.end(), [&](const SweepRow& other) {
          return dominates(tradeoff(other), own);
        });
  }
}

}  // namespace nibblecore::tb
