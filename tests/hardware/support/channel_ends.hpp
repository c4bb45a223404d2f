// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <deque>
#include <utility>
#include <vector>

#include "hw/channel/ready_valid.hpp"
#include "hw/units/clocked_unit.hpp"

namespace nibblecore::test {

/// Pushes entries into a channel in order, none before its cycle.
template <class Payload>
class Feeder final : public hw::ClockedUnit {
 public:
  sc_core::sc_port<hw::ReadyValidOut<Payload>> out{"out"};
  std::deque<std::pair<int64_t, Payload>> entries;  ///< (cycle, entry)

  explicit Feeder(const sc_core::sc_module_name& name) : ClockedUnit(name) {}

 private:
  void tick() override {
    const bool ready = out->can_push();
    if (ready && !entries.empty() && entries.front().first <= cycle_) {
      out->back() = entries.front().second;
      out->push();
      entries.pop_front();
    }
    ++cycle_;
  }
  void reset() override { ++cycle_; }

  int64_t cycle_ = 0;
};

/// Takes an entry in every cycle, from cycle `from` on, and notes when it saw it.
template <class Payload>
class Recorder final : public hw::ClockedUnit {
 public:
  sc_core::sc_port<hw::ReadyValidIn<Payload>> in{"in"};
  int64_t from = 0;
  std::vector<int64_t> cycles;
  std::vector<Payload> entries;

  explicit Recorder(const sc_core::sc_module_name& name) : ClockedUnit(name) {}

 private:
  void tick() override {
    if (cycle_ >= from && in->can_pop()) {
      cycles.push_back(cycle_);
      entries.push_back(in->front());
      in->pop();
    }
    ++cycle_;
  }
  void reset() override {
    in->clear();
    ++cycle_;
  }

  int64_t cycle_ = 0;
};

}  // namespace nibblecore::test
