// SPDX-License-Identifier: Apache-2.0
#include "tb/fault/fault_probe.hpp"

namespace nibblecore::tb {

void FaultProbe::set(const Fault& fault) {
  const hw::SiteRecord& record = hw::site_record(fault.site);
  const uint64_t bit = uint64_t{1} << fault.bit;
  site_ = fault.site;
  index_ = fault.index;
  bits_ = record.bits;
  signed_ = record.signedness == hw::Signedness::kSigned;
  clear_ = fault.kind == FaultKind::kStuckAt0 ? bit : 0;
  set_ = fault.kind == FaultKind::kStuckAt1 ? bit : 0;
  invert_ = fault.kind == FaultKind::kFlip ? bit : 0;
  flips_ = fault.kind == FaultKind::kFlip;
  cycle_ = fault.cycle;
  armed_ = !flips_;
  changed_ = 0;
}

void FaultProbe::on_bus(hw::Site site, int64_t index, int32_t* lanes, int count) {
  if (bits_ == 0 || site != site_ || index_ < index || index_ >= index + count || !armed_) {
    return;
  }
  int32_t& lane = lanes[index_ - index];
  lane = static_cast<int32_t>(faulty(lane));
}

void FaultProbe::on_wide_bus(hw::Site site, int64_t index, int64_t& value) {
  if (bits_ != 0 && site == site_ && index == index_ && armed_) {
    value = faulty(value);
  }
}

int64_t FaultProbe::faulty(int64_t value) {
  armed_ = !flips_;
  const int unused = 64 - bits_;
  const auto word = static_cast<uint64_t>(value);
  const uint64_t wires = (((word & ~clear_) | set_) ^ invert_) << unused;
  const int64_t result =
      signed_ ? static_cast<int64_t>(wires) >> unused : static_cast<int64_t>(wires >> unused);
  changed_ += (static_cast<uint64_t>(result) ^ word) << unused != 0 ? 1 : 0;
  return result;
}

}  // namespace nibblecore::tb
