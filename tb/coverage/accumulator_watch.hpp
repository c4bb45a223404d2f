// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "hw/datapath/site.hpp"
#include "model/machine/program.hpp"
#include "tb/coverage/accumulator_points.hpp"
#include "tb/coverage/scale_watch.hpp"

namespace nibblecore::tb {

/// An addition whose result was not what it has to be.
struct WrongAddition {
  AccumulatorInput input;
  uint32_t expected;
  uint32_t found;
};

/// Reads the accumulators' buses, follows every output's accumulator and checks each addition.
class AccumulatorWatch {
 public:
  /// `start`: [m, n] FP32 bits, or null where accumulators start from +0.
  AccumulatorWatch(const Program& program, const uint32_t* start, AccumulatorPoints& points);

  void bus(const hw::StepTag& tag, const TilePlace& place, ScaleWatch& scales, hw::Site site,
           int64_t index, int32_t value);

  int64_t wrong_additions() const { return wrong_; }
  const std::optional<WrongAddition>& first_wrong() const { return first_wrong_; }

 private:
  void begin(const hw::StepTag& tag);
  void finish(int64_t output, const AccumulatorInput& input, uint32_t found);

  CoreDescription core_;
  int64_t n_;
  AccumulatorPoints& points_;
  std::vector<uint32_t> accumulators_;  ///< [m, n]
  std::optional<hw::StepTag> tag_;
  std::vector<int32_t> terms_;   ///< [row, column]
  std::vector<int64_t> blocks_;  ///< [row, column]: of the step, so far
  int64_t wrong_ = 0;
  std::optional<WrongAddition> first_wrong_;
};

}  // namespace nibblecore::tb
