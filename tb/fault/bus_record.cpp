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
  if (instance.cycles.empty() || instance.cycles.back() != cycle_) {
    instance.cycles.push_back(static_cast<int32_t>(cycle_));
  }
}

const BusRecord::Instance* BusRecord::find(hw::Site site, int64_t index) const {
  const std::vector<Instance>& instances = sites_.at(static_cast<size_t>(site));
  const auto i = static_cast<size_t>(index);
  return i < instances.size() ? &instances[i] : nullptr;
}

bool BusRecord::exercises(const Fault& fault) const {
  const Instance* instance = find(fault.site, fault.index);
  if (instance == nullptr) {
    return false;
  }
  const uint64_t bit = uint64_t{1} << fault.bit;
  switch (fault.kind) {
    case FaultKind::kStuckAt0:
      return (instance->ones & bit) != 0;
    case FaultKind::kStuckAt1:
      return (instance->zeros & bit) != 0;
    case FaultKind::kFlip:
      return std::binary_search(instance->cycles.begin(), instance->cycles.end(), fault.cycle);
  }
  return false;
}

const std::vector<int32_t>& BusRecord::cycles(hw::Site site, int64_t index) const {
  static const std::vector<int32_t> kNone;
  const Instance* instance = find(site, index);
  return instance == nullptr ? kNone : instance->cycles;
}

}  // namespace nibblecore::tb
