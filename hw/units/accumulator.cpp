// SPDX-License-Identifier: Apache-2.0
#include "hw/units/accumulator.hpp"

#include <algorithm>

#include "hw/datapath/fp32_accumulate.hpp"
#include "model/common/error.hpp"

namespace nibblecore::hw {

template <class Hooks>
BasicAccumulator<Hooks>::BasicAccumulator(const sc_core::sc_module_name& name,
                                          const Machine& machine, SimdTarget target,
                                          RegionMemory& region, Flag& region_filled, Hooks hooks)
    : ClockedUnit(name),
      machine_(machine),
      target_(target),
      region_(region),
      region_filled_(region_filled),
      hooks_(hooks) {}

template <class Hooks>
void BasicAccumulator<Hooks>::start(const GemmJob& job) {
  program_ = job.program;
  const ChunkBody body = program_->body(ChunkIndex{});
  tiles_ = body.tiles();
  own_residual_ = job.spec().residual_accumulator == ResidualAccumulator::kOwn;
  ready_.assign(static_cast<size_t>(2 * tiles_), 0);
  finishing_.clear();
  half_ = 0;
  cycle_ = 0;
}

template <class Hooks>
void BasicAccumulator<Hooks>::tick() {
  take_step();
  if (!finishing_.empty() && finishing_.front() == cycle_) {
    region_filled_.post();
    finishing_.pop_front();
  }
  ++cycle_;
}

template <class Hooks>
void BasicAccumulator<Hooks>::take_step() {
  if (!sums->can_pop() || !products->can_pop()) {
    return;
  }
  const StepTag& tag = sums->front().tag;
  if (!(tag == products->front().tag)) {
    throw InternalError(std::string(name()) + ": sums and scales of two different steps met");
  }
  const int64_t tile = tag.tile;
  int64_t& ready = ready_.at(static_cast<size_t>(static_cast<int64_t>(half_) * tiles_ + tile));
  if (ready > cycle_) {
    return;
  }
  ready = cycle_ + program_->additions(tag.kind) * machine_.accumulate_latency;
  if (tag.first_of_tile) {
    clear(tag.tile);
  }
  hooks_.on_step(tag);
  if (own_residual_) {
    accumulate(tag, 0, tag.dense_blocks, AccumulatorPlane::kResult);
    accumulate(tag, tag.dense_blocks, tag.blocks(), AccumulatorPlane::kResidual);
  } else {
    accumulate(tag, 0, tag.blocks(), AccumulatorPlane::kResult);
  }
  if (tag.last_of_region) {
    finishing_.push_back(ready - 1);
    half_ ^= 1;
  }
  sums->pop();
  products->pop();
}

template <class Hooks>
void BasicAccumulator<Hooks>::clear(int64_t tile) {
  if (program_->spec().start == Start::kZero) {
    std::fill_n(region_.tile(half_, tile), region_.tile_values(), 0U);
  }
  if (own_residual_) {
    std::fill_n(region_.tile(half_, tile, AccumulatorPlane::kResidual), region_.tile_values(), 0U);
  }
}

/// Blocks [first, end) of the step to the accumulators of one plane.
template <class Hooks>
void BasicAccumulator<Hooks>::accumulate(const StepTag& tag, int32_t first, int32_t end,
                                         AccumulatorPlane plane) {
  const ScaleProducts& scales = products->front();
  const size_t values = region_.tile_values();
  const int64_t outputs = int64_t{machine_.core.rows} * machine_.core.columns;
  const int64_t tile = static_cast<int64_t>(half_) * tiles_ + tag.tile;
  const OutputTap<Hooks> tap(
      hooks_, machine_.core.columns, tile * outputs,
      plane == AccumulatorPlane::kResult ? Site::kAccumulator : Site::kResidualAccumulator);
  uint32_t* accumulators = region_.tile(half_, tag.tile, plane);
  for (int32_t block = first; block < end; ++block) {
    const size_t at = static_cast<size_t>(block) * values;
    fp32_accumulate_lanes(target_,
                          {values, sums->front().sums.data() + at, scales.significands.data() + at,
                           scales.exponents.data() + at, scales.nan.data() + at},
                          accumulators, tap);
  }
  lane0_ = accumulators[0];
}

template <class Hooks>
void BasicAccumulator<Hooks>::reset() {
  sums->clear();
  products->clear();
  finishing_.clear();
}

template <class Hooks>
void BasicAccumulator<Hooks>::trace(sc_core::sc_trace_file* file) const {
  sc_core::sc_trace(file, lane0_, std::string(name()) + ".lane0");
}

template class BasicAccumulator<NoHooks>;
template class BasicAccumulator<ProbeHooks>;

}  // namespace nibblecore::hw
