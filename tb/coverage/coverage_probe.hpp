// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "hw/datapath/hooks.hpp"
#include "tb/bench/core_gemm.hpp"
#include "tb/coverage/accumulator_watch.hpp"
#include "tb/coverage/array_watch.hpp"
#include "tb/coverage/channel_watch.hpp"
#include "tb/coverage/core_coverage.hpp"
#include "tb/coverage/quantizer_watch.hpp"
#include "tb/coverage/scale_watch.hpp"
#include "tb/coverage/step_places.hpp"

namespace nibblecore::tb {

/// Watches all buses of a core during one GEMM and changes none; checks every addition of the
/// accumulators besides.
class CoverageProbe final : public hw::Probe {
 public:
  /// `program` outlives it. `core`: hierarchical name of the core, which need not exist yet.
  CoverageProbe(std::string core, const Program& program, const CoreGemm& gemm, Pressure pressure,
                CoreCoverage& coverage);

  void on_cycle(int64_t cycle) override;
  void on_step(const hw::StepTag& tag) override;
  void on_bus(hw::Site site, int64_t index, int32_t* lanes, int count) override;
  void on_wide_bus(hw::Site /*site*/, int64_t /*index*/, int64_t& /*value*/) override {}

  const AccumulatorWatch& accumulator() const { return accumulator_; }

 private:
  std::string core_;
  Pressure pressure_;
  CoreCoverage& coverage_;
  FormatPoints& points_;
  OutputWidth output_;
  int depth_blocks_;
  StepPlaces places_;
  ArrayWatch array_;
  ScaleWatch scales_;
  AccumulatorWatch accumulator_;
  QuantizerWatch quantizer_;
  std::optional<ChannelWatch> channels_;
  hw::StepTag tag_;  ///< that the buses belong to now
  TilePlace place_{};
};

}  // namespace nibblecore::tb
