// SPDX-License-Identifier: Apache-2.0
#include "tb/coverage/coverage_probe.hpp"

#include <utility>

namespace nibblecore::tb {

CoverageProbe::CoverageProbe(std::string core, const Program& program, const CoreGemm& gemm,
                             Pressure pressure, CoreCoverage& coverage)
    : core_(std::move(core)),
      pressure_(pressure),
      coverage_(coverage),
      points_(coverage.of(program.spec().format)),
      output_(program.spec().output),
      depth_blocks_(program.machine().core.depth / program.spec().format.block),
      places_(program),
      array_(program.machine().core, points_.dense, points_.sparse),
      scales_(program.machine().core, points_.scales),
      accumulator_(program, gemm.c, points_.accumulator),
      quantizer_(program.spec().format, gemm.a.quantizer, gemm.b.quantizer, *points_.quantizer,
                 points_.residual) {}

void CoverageProbe::on_cycle(int64_t /*cycle*/) {
  if (!channels_) {
    channels_.emplace(core_);
  }
  channels_->sample(coverage_.control(), pressure_);
}

void CoverageProbe::on_step(const hw::StepTag& tag) {
  tag_ = tag;
  place_ = places_.place(tag);
  points_.residual.sample_step(tag.kind, tag.dense_blocks, tag.residual_blocks, depth_blocks_);
}

void CoverageProbe::on_bus(hw::Site site, int64_t index, int32_t* lanes, int count) {
  // Sites stand in the order of data: the array's, the scale unit's, the accumulators', ..
  if (site == hw::Site::kAScale || site == hw::Site::kBScale ||
      (site > hw::Site::kResidualUnitSum && site < hw::Site::kTerm)) {
    scales_.bus(tag_, place_, site, index, lanes, count);
  } else if (site < hw::Site::kTerm) {
    array_.bus(place_, site, index, lanes, count);
  } else if (site == hw::Site::kTerm || site == hw::Site::kAdderResult) {
    for (int i = 0; i < count; ++i) {
      accumulator_.bus(tag_, place_, scales_, site, index + i, lanes[i]);
    }
  } else if (site == hw::Site::kStoreProduct) {
    for (int i = 0; i < count; ++i) {
      points_.store.sample(static_cast<uint32_t>(lanes[i]), output_);
    }
  } else if (site >= hw::Site::kQuantizerMagnitude) {
    for (int i = 0; i < count; ++i) {
      quantizer_.bus(site, index + i, lanes[i]);
    }
  }
}

}  // namespace nibblecore::tb
