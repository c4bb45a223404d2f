// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <vector>

#include "model/formats/block_format.hpp"
#include "tb/coverage/accumulator_points.hpp"
#include "tb/coverage/array_points.hpp"
#include "tb/coverage/control_points.hpp"
#include "tb/coverage/coverage.hpp"
#include "tb/coverage/input_points.hpp"
#include "tb/coverage/quantizer_points.hpp"
#include "tb/coverage/residual_points.hpp"
#include "tb/coverage/scale_points.hpp"
#include "tb/coverage/store_points.hpp"

namespace nibblecore::tb {

/// The points that are watched for each format.
struct FormatPoints {
  BlockFormat format;
  ScalePoints scales;
  ArrayPoints dense;
  ArrayPoints sparse;
  AccumulatorPoints accumulator;
  ResidualPoints residual;
  std::unique_ptr<QuantizerPoints> quantizer;
  StorePoints store;

  FormatPoints(const BlockFormat& watched, Coverage& coverage);
};

/// Everything that is watched of a core that runs GEMMs of these formats.
class CoreCoverage {
 public:
  explicit CoreCoverage(const std::vector<BlockFormat>& formats);

  const Coverage& coverage() const { return coverage_; }
  ControlPoints& control() { return control_; }
  InputPoints& inputs() { return inputs_; }
  /// InternalError where the format is not watched.
  FormatPoints& of(const BlockFormat& format);

 private:
  Coverage coverage_;
  ControlPoints control_;
  InputPoints inputs_;
  std::vector<std::unique_ptr<FormatPoints>> formats_;
};

}  // namespace nibblecore::tb
