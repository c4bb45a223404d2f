// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>

namespace nibblecore::hw {

/// Rows of a timeline.
enum class Track {
  kMemoryPort,
  kMoveA,
  kMoveB,
  kQuantizerA,
  kQuantizerB,
  kDenseSteps,
  kResidualSteps,
  kArrayStalls,
  kStore,
};

/// Takes what the units did, as spans of cycles; a span ends before `end`.
class TimelineSink {
 public:
  virtual ~TimelineSink() = default;
  virtual void span(Track track, std::string_view name, int64_t begin, int64_t end) = 0;
};

}  // namespace nibblecore::hw
