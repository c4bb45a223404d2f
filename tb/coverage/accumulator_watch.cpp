// SPDX-License-Identifier: Apache-2.0
#include "tb/coverage/accumulator_watch.hpp"

#include <algorithm>

namespace nibblecore::tb {

AccumulatorWatch::AccumulatorWatch(const Program& program, const uint32_t* start,
                                   AccumulatorPoints& points)
    : core_(program.machine().core),
      n_(program.spec().n),
      points_(points),
      accumulators_(static_cast<size_t>(program.spec().m * n_)),
      terms_(static_cast<size_t>(core_.rows) * static_cast<size_t>(core_.columns)),
      blocks_(terms_.size()) {
  if (start != nullptr) {
    std::copy_n(start, accumulators_.size(), accumulators_.begin());
  }
}

void AccumulatorWatch::begin(const hw::StepTag& tag) {
  if (!tag_ || !(*tag_ == tag)) {
    tag_ = tag;
    std::fill(blocks_.begin(), blocks_.end(), 0);
  }
}

void AccumulatorWatch::bus(const hw::StepTag& tag, const TilePlace& place, ScaleWatch& scales,
                           hw::Site site, int64_t index, int32_t value) {
  const auto lane = static_cast<size_t>(index);
  if (site == hw::Site::kTerm) {
    begin(tag);
    terms_.at(lane) = value;
    return;
  }
  if (site != hw::Site::kAdderResult) {
    return;
  }
  const int64_t row = index / core_.columns;
  const int64_t column = index % core_.columns;
  const int64_t block = blocks_.at(lane)++;
  if (row >= place.rows || column >= place.columns) {
    return;
  }
  const StepScales& step = scales.of_step(tag);
  const size_t at = static_cast<size_t>(block) * terms_.size() + lane;
  const int64_t output = (place.first_row + row) * n_ + place.first_column + column;
  finish(output,
         {accumulators_.at(static_cast<size_t>(output)), terms_[lane], step.exponents.at(at),
          step.nan.at(at) != 0},
         static_cast<uint32_t>(value));
}

void AccumulatorWatch::finish(int64_t output, const AccumulatorInput& input, uint32_t found) {
  const uint32_t expected = points_.sample(input);
  if (expected != found && wrong_++ == 0) {
    first_wrong_ = WrongAddition{input, expected, found};
  }
  accumulators_[static_cast<size_t>(output)] = found;
}

}  // namespace nibblecore::tb
