// SPDX-License-Identifier: Apache-2.0
#include "hw/units/port_walk.hpp"

namespace nibblecore::hw {

void PortWalk::start(const Program& program) {
  stop();
  cursor_.start(program);
  refill();
}

void PortWalk::stop() {
  cursor_.stop();
  region_ = 0;
  stores_.clear();
  operations_.clear();
}

void PortWalk::pop() {
  operations_.pop_front();
  refill();
}

void PortWalk::refill() {
  while (operations_.empty()) {
    if (!cursor_.done()) {
      list_trip();
    } else if (!stores_.empty()) {
      operations_.push_back(stores_.front().store);
      stores_.pop_front();
    } else {
      return;
    }
  }
}

void PortWalk::list_trip() {
  const ChunkBody& body = cursor_.body();
  const auto add = [&](PortOperationKind kind) {
    operations_.push_back({kind, cursor_.index(), body, region_});
  };
  if (body.load_a_bytes > 0) {
    add(PortOperationKind::kLoadA);
  }
  if (body.load_b_bytes > 0) {
    add(PortOperationKind::kLoadB);
  }
  while (!stores_.empty() && stores_.front().trip + Program::kStoreLag <= cursor_.trip()) {
    operations_.push_back(stores_.front().store);
    stores_.pop_front();
  }
  if (body.start_bytes > 0) {
    add(PortOperationKind::kLoadStart);
  }
  if (body.last_of_region) {
    stores_.push_back(
        {cursor_.trip(), {PortOperationKind::kStore, cursor_.index(), body, region_}});
    ++region_;
  }
  cursor_.advance();
}

}  // namespace nibblecore::hw
