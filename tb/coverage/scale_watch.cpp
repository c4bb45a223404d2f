// SPDX-License-Identifier: Apache-2.0
#include "tb/coverage/scale_watch.hpp"

#include "model/common/error.hpp"

namespace nibblecore::tb {

ScaleWatch::ScaleWatch(const CoreDescription& core, ScalePoints& points)
    : core_(core),
      points_(points),
      a_(static_cast<size_t>(core.rows)),
      b_(static_cast<size_t>(core.columns)) {}

StepScales& ScaleWatch::under_way(const hw::StepTag& tag) {
  if (steps_.empty() || !(steps_.back().tag == tag)) {
    const auto outputs = static_cast<size_t>(core_.rows) * static_cast<size_t>(core_.columns) *
                         static_cast<size_t>(hw::most_blocks(core_.depth));
    steps_.push_back({tag, std::vector<int32_t>(outputs), std::vector<uint8_t>(outputs)});
  }
  return steps_.back();
}

void ScaleWatch::bus(const hw::StepTag& tag, const TilePlace& place, hw::Site site, int64_t index,
                     const int32_t* lanes, int count) {
  const int64_t row = index / core_.columns % core_.rows;
  for (int i = 0; i < count; ++i) {
    const auto at = static_cast<size_t>(index + i);
    switch (site) {
      case hw::Site::kAScale:
        a_.at(at % a_.size()) = static_cast<uint8_t>(lanes[i]);
        break;
      case hw::Site::kBScale:
        b_.at(at % b_.size()) = static_cast<uint8_t>(lanes[i]);
        break;
      case hw::Site::kScaleExponent:
        under_way(tag).exponents.at(at) = lanes[i];
        if (row < place.rows && static_cast<int64_t>(at % b_.size()) < place.columns) {
          points_.sample(a_[static_cast<size_t>(row)], b_[at % b_.size()]);
        }
        break;
      case hw::Site::kScaleNan:
        under_way(tag).nan.at(at) = lanes[i] != 0 ? 1 : 0;
        break;
      default:
        return;
    }
  }
}

const StepScales& ScaleWatch::of_step(const hw::StepTag& tag) {
  while (!steps_.empty() && !(steps_.front().tag == tag)) {
    steps_.pop_front();
  }
  if (steps_.empty()) {
    throw InternalError("coverage: the accumulators took a step that the scale unit has not seen");
  }
  return steps_.front();
}

}  // namespace nibblecore::tb
