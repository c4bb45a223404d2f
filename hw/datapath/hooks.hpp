// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "hw/channel/payload.hpp"
#include "hw/channel/quantizer_payload.hpp"
#include "hw/datapath/lanes.hpp"
#include "hw/datapath/site.hpp"

namespace nibblecore::hw {

// The circuits are templates over a hook type and hand every named bus to it. One instance has
// NoHooks, of which nothing is left in the code; another ProbeHooks, which calls a Probe.

/// Watches the buses of a core, and may change what they carry.
class Probe {
 public:
  virtual ~Probe() = default;

  /// A clock edge is about to come: number `cycle` of the GEMM, from 0.
  virtual void on_cycle(int64_t /*cycle*/) {}
  /// The buses of the array, the scale multiplier or the accumulators that follow belong to this
  /// step.
  virtual void on_step(const StepTag& /*tag*/) {}
  /// The buses of the quantizer that follow belong to this block.
  virtual void on_block(const BlockTag& /*tag*/) {}

  /// Instances `index` to `index + count - 1` of a bus; signed values as they are, others as the
  /// bits that they have.
  virtual void on_bus(Site site, int64_t index, int32_t* lanes, int count) = 0;
  /// One instance of a bus that has more than 32 bits.
  virtual void on_wide_bus(Site site, int64_t index, int64_t& value) = 0;
};

struct NoHooks {
  static constexpr bool kPresent = false;

  static void on_cycle(int64_t /*cycle*/) {}
  static void on_step(const StepTag& /*tag*/) {}
  static void on_block(const BlockTag& /*tag*/) {}
  template <class Value>
  [[gnu::always_inline]] static constexpr void value(Site /*site*/, int64_t /*index*/,
                                                     Value& /*value*/) {}
  template <class Lanes>
  [[gnu::always_inline]] static void lanes(Site /*site*/, int64_t /*index*/, Lanes& /*lanes*/,
                                           int64_t /*count*/) {}
};

class ProbeHooks {
 public:
  static constexpr bool kPresent = true;

  explicit ProbeHooks(Probe& probe) : probe_(&probe) {}

  void on_cycle(int64_t cycle) const { probe_->on_cycle(cycle); }
  void on_step(const StepTag& tag) const { probe_->on_step(tag); }
  void on_block(const BlockTag& tag) const { probe_->on_block(tag); }

  template <class Value>
  [[gnu::always_inline]] void value(Site site, int64_t index, Value& value) const {
    if constexpr (sizeof(Value) > sizeof(int32_t)) {
      auto wide = static_cast<int64_t>(value);
      probe_->on_wide_bus(site, index, wide);
      value = static_cast<Value>(wide);
    } else {
      auto lane = static_cast<int32_t>(value);
      probe_->on_bus(site, index, &lane, 1);
      value = static_cast<Value>(lane);
    }
  }

  /// The first `count` of a bus of lanes; those beyond the array do not exist.
  template <class Lanes>
  [[gnu::always_inline]] void lanes(Site site, int64_t index, Lanes& lanes, int64_t count) const {
    std::array<int32_t, kLanes> values;
    for (int64_t i = 0; i < count; ++i) {
      values[static_cast<size_t>(i)] = lanes[i];
    }
    probe_->on_bus(site, index, values.data(), static_cast<int>(count));
    for (int64_t i = 0; i < count; ++i) {
      lanes[i] =
          static_cast<std::remove_reference_t<decltype(lanes[i])>>(values[static_cast<size_t>(i)]);
    }
  }

 private:
  Probe* probe_;
};

}  // namespace nibblecore::hw
