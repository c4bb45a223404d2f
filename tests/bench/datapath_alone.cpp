// SPDX-License-Identifier: Apache-2.0
#include "tests/bench/datapath_alone.hpp"

#include "hw/datapath/fp32_accumulate.hpp"

namespace nibblecore::bench {
namespace {

template <class Bits>
void randomize(std::vector<Bits>& bits, std::mt19937& random) {
  for (Bits& each : bits) {
    each = static_cast<Bits>(random());
  }
}

template <class Lanes>
void randomize_lanes(Lanes& lanes, std::mt19937& random) {
  randomize(lanes.codes, random);
  randomize(lanes.level2, random);
  randomize(lanes.level3, random);
}

hw::StepTag full_step(StepKind kind, int depth_blocks) {
  const bool is_dense = kind == StepKind::kDense || kind == StepKind::kDenseAndSparse;
  const int residual = kind == StepKind::kSparse ? 2 * depth_blocks : depth_blocks;
  hw::StepTag tag;
  tag.kind = kind;
  tag.dense_blocks = is_dense ? depth_blocks : 0;
  tag.residual_blocks = kind == StepKind::kDense ? 0 : residual;
  return tag;
}

}  // namespace

DatapathAlone::DatapathAlone(const CoreDescription& core, const BlockFormat& format,
                             hw::SimdTarget target, std::mt19937& random, StepKind kind)
    : format_(format),
      target_(target),
      array_(core, target),
      multiplier_(core, target),
      a_(core.rows, core.depth),
      b_(core.columns, core.depth),
      a_scales_(core.rows, core.depth),
      b_scales_(core.columns, core.depth),
      sums_(core),
      products_(core),
      registers_(static_cast<size_t>(core.rows) * hw::padded_lanes(core.columns)) {
  a_.tag = full_step(kind, core.depth / format.block);
  a_scales_.tag = a_.tag;
  randomize_lanes(a_.dense, random);
  randomize_lanes(a_.sparse, random);
  randomize(a_.sparse.indices, random);
  randomize_lanes(b_.dense, random);
  for (hw::ScaleSlice* slice : {&a_scales_, &b_scales_}) {
    for (uint8_t& code : slice->scales) {
      code = static_cast<uint8_t>(0x70 + random() % 8);
    }
  }
}

void DatapathAlone::run(int64_t steps) {
  for (int64_t step = 0; step < steps; ++step) {
    array_.multiply(format_, a_, b_, sums_);
    multiplier_.multiply(format_, a_scales_, b_scales_, products_);
    for (int block = 0; block < a_.tag.blocks(); ++block) {
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
