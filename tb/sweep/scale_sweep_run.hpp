// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "model/analysis/scale_sweep.hpp"
#include "tb/sweep/scale_bits.hpp"
#include "tb/sweep/sweep_options.hpp"

namespace nibblecore::tb {

/// The errors of one tensor, or of several, under each scale.
struct ScaleSweepValues {
  std::string name;
  std::vector<ScaleErrorSums> sums;  ///< as ScaleSweepResult::scales

  void add(const std::vector<ScaleErrorSums>& others);
};

struct ScaleSweepResult {
  BlockFormat format{};            ///< whose block length the scales have
  std::vector<NamedScale> scales;  ///< E8M0 rounded up first
  std::vector<ScaleSweepValues> tensors;
  std::vector<ScaleSweepValues> groups;  ///< weights, activations and gradients, or layer kinds
  ScaleSweepValues total;
};

/// The sweep over the precision of the block scale on the operands of a trace or the tensors of a
/// file, `options.axes` naming at most one format of E2M1 elements. `scales` as scales_of gives
/// them. InputError for whatever is wrong with the input, a value that is not finite included.
ScaleSweepResult run_scale_sweep(const SweepOptions& options,
                                 const std::vector<NamedScale>& scales);

}  // namespace nibblecore::tb
