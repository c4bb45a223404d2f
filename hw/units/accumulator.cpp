// SPDX-License-Identifier: Apache-2.0
#include "hw/units/accumulator.hpp"

#include <algorithm>
#include <array>

#include "hw/datapath/fp32_accumulate.hpp"
#include "hw/datapath/macro_epilogue.hpp"
#include "hw/datapath/nonzero_groups.hpp"
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
  macro_blocks_ = program_->macro_blocks();
  own_residual_ = job.spec().residual_accumulator == ResidualAccumulator::kOwn;
  nan_ = job.nan();
  node_.reset();
  if (job.sum_length() == SumLength::kSixteen) {
    node_ = node_rule(job.spec().accumulation, job.format());
  }
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
  ready = cycle_ + (program_->additions(tag.kind) + tag.epilogues) * machine_.accumulate_latency;
  if (tag.first_of_tile) {
    clear(tag.tile);
  }
  hooks_.on_step(tag);
  const AccumulatorPlane residual =
      own_residual_ ? AccumulatorPlane::kResidual : AccumulatorPlane::kResult;
  if (macro_blocks_ > 0) {
    accumulate_macro_blocks(tag, 0, tag.dense_blocks, AccumulatorPlane::kResult, tag.closes_dense);
    accumulate_macro_blocks(tag, tag.dense_blocks, tag.blocks(), residual, tag.closes_residual);
  } else {
    accumulate(tag, 0, tag.dense_blocks, AccumulatorPlane::kResult);
    accumulate(tag, tag.dense_blocks, tag.blocks(), residual);
  }
  lane0_ = region_.tile(half_, tile)[0];
  if (tag.last_of_region) {
    finishing_.push_back(ready - 1);
    half_ ^= 1;
  }
  sums->pop();
  products->pop();
}

template <class Hooks>
void BasicAccumulator<Hooks>::clear(int64_t tile) {
  const auto fill = [&](AccumulatorPlane plane) {
    std::fill_n(region_.tile(half_, tile, plane), region_.tile_values(), 0U);
  };
  if (program_->spec().start == Start::kZero) {
    fill(AccumulatorPlane::kResult);
  }
  if (own_residual_) {
    fill(AccumulatorPlane::kResidual);
  }
  if (macro_blocks_ > 0) {
    fill(AccumulatorPlane::kTileSum);
  }
  if (macro_blocks_ > 0 && own_residual_) {
    fill(AccumulatorPlane::kResidualTileSum);
  }
}

/// Blocks [first, end) of the step to the accumulators of one plane.
template <class Hooks>
void BasicAccumulator<Hooks>::accumulate(const StepTag& tag, int32_t first, int32_t end,
                                         AccumulatorPlane plane) {
  if (node_) {
    accumulate_in_nodes(tag, first, end, plane);
  } else {
    accumulate_blocks(tag, first, end, plane);
  }
}

template <class Hooks>
void BasicAccumulator<Hooks>::accumulate_blocks(const StepTag& tag, int32_t first, int32_t end,
                                                AccumulatorPlane plane) {
  const ScaleProducts& scales = products->front();
  const size_t values = region_.tile_values();
  const OutputTap<Hooks> tap = output_tap(tag, plane);
  uint32_t* accumulators = region_.tile(half_, tag.tile, plane);
  for (int32_t block = first; block < end; ++block) {
    const size_t at = static_cast<size_t>(block) * values;
    fp32_accumulate_lanes(target_,
                          {values, sums->front().sums.data() + at, scales.significands.data() + at,
                           scales.exponents.data() + at, scales.nan.data() + at},
                          accumulators, tap);
  }
}

/// The same, as many at once as a node takes in. Masked blocks have no group in it.
template <class Hooks>
void BasicAccumulator<Hooks>::accumulate_in_nodes(const StepTag& tag, int32_t first, int32_t end,
                                                  AccumulatorPlane plane) {
  const ScaleProducts& scales = products->front();
  const size_t values = region_.tile_values();
  const OutputTap<Hooks> tap = output_tap(tag, plane);
  uint32_t* accumulators = region_.tile(half_, tag.tile, plane);
  const int32_t groups_of_block = program_->spec().format.block / kSixteen;
  const int32_t node_blocks = kNodeGroups / groups_of_block;
  for (int32_t block = first; block < end; block += node_blocks) {
    const int32_t blocks = std::min(node_blocks, end - block);
    const size_t at = static_cast<size_t>(block) * values;
    const size_t sums_at = at * static_cast<size_t>(groups_of_block);
    accumulate_nodes(
        target_, *node_,
        {values, blocks * groups_of_block, groups_of_block, sums->front().sums.data() + sums_at,
         sums->front().nonzero.data() + sums_at, scales.significands.data() + at,
         scales.exponents.data() + at, scales.nan.data() + at},
        accumulators, tap);
  }
}

/// Blocks [first, end) of the step to the sums of their macro blocks, and those to the accumulators
/// of one plane.
template <class Hooks>
void BasicAccumulator<Hooks>::accumulate_macro_blocks(const StepTag& tag, int32_t first,
                                                      int32_t end, AccumulatorPlane plane,
                                                      bool closes) {
  const AccumulatorPlane tile_sum = plane == AccumulatorPlane::kResult
                                        ? AccumulatorPlane::kTileSum
                                        : AccumulatorPlane::kResidualTileSum;
  const int64_t first_macro = tag.first_block / macro_blocks_;
  const int64_t begin = first;
  for (int64_t macro = first_macro; first < end; ++macro) {
    const int64_t left = (macro + 1) * macro_blocks_ - tag.first_block;
    const auto next = static_cast<int32_t>(std::min<int64_t>(end, begin + left));
    accumulate(tag, first, next, tile_sum);
    if (next < end || closes) {
      take_in(tag, macro - first_macro, tile_sum, plane);
    }
    first = next;
  }
}

/// The sums of a macro block into their accumulators; from +0 on again.
template <class Hooks>
void BasicAccumulator<Hooks>::take_in(const StepTag& tag, int64_t macro, AccumulatorPlane from,
                                      AccumulatorPlane to) {
  const ScaleProducts& scales = products->front();
  const size_t values = region_.tile_values();
  const size_t first = static_cast<size_t>(macro) * values;
  const OutputTap<Hooks> tap = output_tap(tag, to);
  uint32_t* tile_sums = region_.tile(half_, tag.tile, from);
  uint32_t* accumulators = region_.tile(half_, tag.tile, to);
  for (size_t i = 0; i < values; ++i) {
    const FactorFields factor{scales.factor_significands[first + i],
                              scales.factor_exponents[first + i]};
    uint32_t result =
        macro_epilogue(program_->spec().macro_epilogue, tile_sums[i], factor, accumulators[i],
                       FmaTap<Hooks>(tap.adder(i), Site::kEpilogueProduct), nan_);
    tap.accumulator(i, result);
    accumulators[i] = result;
    tile_sums[i] = 0;
  }
}

template <class Hooks>
OutputTap<Hooks> BasicAccumulator<Hooks>::output_tap(const StepTag& tag,
                                                     AccumulatorPlane plane) const {
  constexpr std::array<Site, kAccumulatorPlanes> kRegisters{
      Site::kAccumulator, Site::kResidualAccumulator, Site::kTileSum, Site::kResidualTileSum};
  const int64_t outputs = int64_t{machine_.core.rows} * machine_.core.columns;
  const int64_t tile = static_cast<int64_t>(half_) * tiles_ + tag.tile;
  return OutputTap<Hooks>(hooks_, machine_.core.columns, tile * outputs,
                          kRegisters.at(static_cast<size_t>(plane)));
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
