// SPDX-License-Identifier: Apache-2.0
#include "tb/coverage/channel_watch.hpp"

#include <systemc>

#include "hw/channel/payload.hpp"
#include "hw/channel/quantizer_beat.hpp"
#include "hw/channel/ready_valid.hpp"
#include "model/common/error.hpp"

namespace nibblecore::tb {
namespace {

/// The occupancy of a channel of one of these payloads.
template <class Payload, class... Others>
const uint32_t* occupancy_of(const sc_core::sc_object& object) {
  if (const auto* channel = dynamic_cast<const hw::ReadyValid<Payload>*>(&object)) {
    return &channel->occupancy();
  }
  if constexpr (sizeof...(Others) > 0) {
    return occupancy_of<Others...>(object);
  } else {
    throw InternalError(std::string("coverage: ") + object.name() + " is no channel of a core");
  }
}

const sc_core::sc_object& find(const std::string& name) {
  const sc_core::sc_object* object = sc_core::sc_find_object(name.c_str());
  if (object == nullptr) {
    throw InternalError("coverage: nothing is called " + name);
  }
  return *object;
}

}  // namespace

ChannelWatch::ChannelWatch(const std::string& core) {
  for (const std::string_view channel : kChannels) {
    occupancies_.push_back(
        occupancy_of<hw::UnquantizedBeat, hw::QuantizedBeat, hw::StepTag, hw::ASlice, hw::BSlice,
                     hw::ScaleSlice, hw::BlockSums, hw::ScaleProducts>(
            find(core + "." + std::string(channel))));
  }
  for (const std::string_view name : kFlags) {
    const auto* flag = dynamic_cast<const hw::Flag*>(&find(core + "." + std::string(name)));
    if (flag == nullptr) {
      throw InternalError("coverage: " + std::string(name) + " is no flag of a core");
    }
    flags_.push_back(flag);
  }
}

void ChannelWatch::sample(ControlPoints& points, Pressure pressure) const {
  for (size_t i = 0; i < occupancies_.size(); ++i) {
    points.sample_channel(i, *occupancies_[i], pressure);
  }
  for (size_t i = 0; i < flags_.size(); ++i) {
    points.sample_flag(i, flags_[i]->count());
  }
}

}  // namespace nibblecore::tb
