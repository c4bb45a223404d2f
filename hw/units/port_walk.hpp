// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <deque>

#include "hw/units/trip_cursor.hpp"

namespace nibblecore::hw {

enum class PortOperationKind { kLoadA, kLoadB, kStore, kLoadStart };

/// One transfer of the memory port.
struct PortOperation {
  PortOperationKind kind;
  ChunkIndex index;
  ChunkBody body;
  int64_t region;  ///< counts the regions of the program
};

/// The memory port's transfers in their fixed order (model/machine/program.hpp).
class PortWalk {
 public:
  void start(const Program& program);
  void stop();

  bool done() const { return operations_.empty(); }
  const PortOperation& front() const { return operations_.front(); }
  void pop();

 private:
  struct Pending {
    int64_t trip;  ///< the region's last
    PortOperation store;
  };

  /// Lists what the port does for one more trip, or, behind the last, the stores that are left.
  void refill();
  void list_trip();

  TripCursor cursor_;
  int64_t region_ = 0;
  std::deque<Pending> stores_;
  std::deque<PortOperation> operations_;
};

}  // namespace nibblecore::hw
