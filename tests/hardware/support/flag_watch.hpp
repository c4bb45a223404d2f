// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "hw/channel/flag.hpp"
#include "hw/units/clocked_unit.hpp"

namespace nibblecore::test {

/// Posts a flag in the cycles that it is told.
class FlagPoster final : public hw::ClockedUnit {
 public:
  std::vector<int64_t> cycles;

  FlagPoster(const sc_core::sc_module_name& name, hw::Flag& flag)
      : ClockedUnit(name), flag_(flag) {}

 private:
  void tick() override {
    for (const int64_t due : cycles) {
      if (due == cycle_) {
        flag_.post();
      }
    }
    ++cycle_;
  }
  void reset() override { ++cycle_; }

  hw::Flag& flag_;
  int64_t cycle_ = 0;
};

/// Notes every change of a flag's count as (cycle in which it shows first, count); takes nothing.
class FlagWatch final : public hw::ClockedUnit {
 public:
  std::vector<std::pair<int64_t, int64_t>> changes;

  FlagWatch(const sc_core::sc_module_name& name, const hw::Flag& flag)
      : ClockedUnit(name), flag_(flag) {}

 private:
  void tick() override {
    if (flag_.count() != latest_) {
      latest_ = flag_.count();
      changes.emplace_back(cycle_, latest_);
    }
    ++cycle_;
  }
  void reset() override { ++cycle_; }

  const hw::Flag& flag_;
  int64_t latest_ = 0;
  int64_t cycle_ = 0;
};

}  // namespace nibblecore::test
