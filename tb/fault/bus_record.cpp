// SPDX-License-Identifier: Apache-2.0
#include "tb/fault/bus_record.hpp"

#include <algorithm>

namespace nibblecore::tb {

void BusRecord::on_bus(hw::Site site, int64_t index, int32_t* lanes, int count) {
  for (int i = 0; i < count; ++i) {
    note(site, index + i, static_cast<uint64_t>(int64_t{lanes[i]}));
  }
}

void BusRecord::on_wide_bus(hw::Site site, int64_t index, int64_t& value) {
  note(site, index, static_cast<uint64_t>(value));
}

void BusRecord::note(hw::Site site, int64_t index, uint64_t word) {
  std::vector<Instance>& instances = sites_.at(static_cast<size_t>(site));
  const auto i = static_cast<size_t>(index);
  if (i >= instances.size()) {
    instances.resize(i + 1);
  }
  Instance& instance = instances[i];
  instance.ones |= word;
  instance.zeros |= ~word;
  if (times_[instance.latest].cycle != cycle_) {
    instance.latest = time_behind(instance.latest);
  }
}

size_t BusRecord::time_behind(size_t before) {
  const auto [place, is_new] = behind_.try_emplace({before, cycle_}, times_.size());
  if (is_new) {
    times_.push_back({before, cycle_});
  }
  return place->second;
}

const BusRecord::Instance* BusRecord::find(hw::Site site, int64_t index) const {
  const std::vector<Instance>& instances = sites_.at(static_cast<size_t>(site));
  const auto i = static_cast<size_t>(index);
  return i < instances.size() ? &instances[i] : nullptr;
}

bool BusRecord::exercises(const Fault& stuck) const {
  const Instance* instance = find(stuck.site, stuck.index);
  if (instance == nullptr) {
    return false;
  }
  const uint64_t others = stuck.kind == FaultKind::kStuckAt0 ? instance->ones : instance->zeros;
  return ((others >> stuck.bit) & 1) != 0;
}

bool BusRecord::carries(hw::Site site, int64_t index) const {
  const Instance* instance = find(site, index);
  return instance != nullptr && instance->latest != 0;
}

std::vector<int64_t> BusRecord::cycles(hw::Site site, int64_t index) const {
  std::vector<int64_t> cycles;
  if (const Instance* instance = find(site, index)) {
    for (size_t time = instance->latest; time != 0; time = times_[time].before) {
      cycles.push_back(times_[time].cycle);
    }
  }
  std::reverse(cycles.begin(), cycles.end());
  return cycles;
}

}  // namespace nibblecore::tb
