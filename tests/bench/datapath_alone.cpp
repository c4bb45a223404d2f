// SPDX-License-Identifier: Apache-2.0
#include "tests/bench/datapath_alone.hpp"

#include "hw/datapath/fp32_accumulate.hpp"

namespace nibblecore::bench {

DatapathAlone::DatapathAlone(const CoreDescription& core, const BlockFormat& format,
                             hw::SimdTarget target, std::mt19937& random)
    : format_(format),
      blocks_(core.depth / format.block),
      target_(target),
      array_(core, target),
      multiplier_(core, target),
      a_codes_(core.rows, core.depth),
      b_codes_(core.columns, core.depth),
      a_scales_(core.rows, core.depth),
      b_scales_(core.columns, core.depth),
      sums_(core),
      products_(core),
      registers_(static_cast<size_t>(core.rows) * hw::padded_lanes(core.columns)) {
  for (hw::CodeSlice* slice : {&a_codes_, &b_codes_}) {
    for (uint8_t& byte : slice->codes) {
      byte = static_cast<uint8_t>(random());
    }
    for (uint8_t& bits : slice->level2) {
      bits = static_cast<uint8_t>(random());
    }
    for (uint16_t& bits : slice->level3) {
      bits = static_cast<uint16_t>(random());
    }
  }
  for (hw::ScaleSlice* slice : {&a_scales_, &b_scales_}) {
    for (uint8_t& code : slice->scales) {
      code = static_cast<uint8_t>(0x70 + random() % 8);
    }
  }
}

void DatapathAlone::run(int64_t steps) {
  for (int64_t step = 0; step < steps; ++step) {
    array_.multiply(format_, a_codes_, b_codes_, sums_);
    multiplier_.multiply(format_, a_scales_, b_scales_, products_);
    for (int block = 0; block < blocks_; ++block) {
      const size_t first = static_cast<size_t>(block) * registers_.size();
      hw::fp32_accumulate_lanes(
          target_,
          {registers_.size(), sums_.sums.data() + first, products_.significands.data() + first,
           products_.exponents.data() + first, products_.nan.data() + first},
          registers_.data());
    }
  }
}

}  // namespace nibblecore::bench
