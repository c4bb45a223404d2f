// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "model/formats/block_format.hpp"
#include "model/machine/gemm_spec.hpp"
#include "tb/coverage/coverage.hpp"

namespace nibblecore::tb {

/// What leaves the core through the store path.
class StorePoints {
 public:
  StorePoints(const BlockFormat& format, Coverage& coverage);

  /// The product of both tensor scales, by which results are multiplied.
  void sample_factor(float a_scale, float b_scale);
  /// FP32 bits of one result behind that multiplier, and the width in which it is written.
  void sample(uint32_t bits, OutputWidth width);

 private:
  CoverPoint& factors_;
  CoverPoint& values_;
  CoverPoint& roundings_;
};

}  // namespace nibblecore::tb
