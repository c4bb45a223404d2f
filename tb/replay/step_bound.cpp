// SPDX-License-Identifier: Apache-2.0
#include "tb/replay/step_bound.hpp"

#include <algorithm>
#include <iterator>
#include <numeric>

namespace nibblecore::tb {
namespace {

constexpr std::array<std::string_view, kBounds> kNames{"compute", "memory", "fill", "bf16"};

}  // namespace

std::string_view name_of(Bound bound) { return kNames.at(static_cast<size_t>(bound)); }

int64_t BoundCycles::total() const {
  return std::accumulate(cycles.begin(), cycles.end(), int64_t{0});
}

Bound BoundCycles::largest() const {
  return static_cast<Bound>(
      std::distance(cycles.begin(), std::max_element(cycles.begin(), cycles.end())));
}

void BoundCycles::add(const BoundCycles& other, int64_t times) {
  for (size_t i = 0; i < cycles.size(); ++i) {
    cycles[i] += other.cycles[i] * times;
  }
}

BoundCycles bound_cycles(const CycleReport& report) {
  const UnitCycles& array = report[Unit::kArray];
  const int64_t compute =
      array.busy + array.stalls.at(static_cast<size_t>(StallCause::kAccumulate));
  const int64_t memory = report[Unit::kMemoryPort].busy;
  BoundCycles bound;
  bound[compute >= memory ? Bound::kCompute : Bound::kMemory] = std::max(compute, memory);
  bound[Bound::kFill] = report.total - std::max(compute, memory);
  return bound;
}

}  // namespace nibblecore::tb
