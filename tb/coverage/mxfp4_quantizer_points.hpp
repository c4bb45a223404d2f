// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tb/coverage/quantizer_points.hpp"

namespace nibblecore::tb {

/// The MXFP4 quantizers: scale rules at their thresholds, element rounding, special values.
class Mxfp4QuantizerPoints final : public QuantizerPoints {
 public:
  explicit Mxfp4QuantizerPoints(Coverage& coverage);

  void sample(const QuantizedSample& block, const hw::QuantizerJob& job) override;

 private:
  void sample_maximum(const QuantizedSample& block, const Mxfp4Rule& rule);
  void sample_element(uint32_t magnitude, uint8_t code, uint8_t scale, const Mxfp4Rule& rule);

  CircuitPoint circuits_;
  CoverPoint& maxima_;
  CoverPoint& thresholds_;
  CoverPoint& clipping_;
  CoverPoint& roundings_;
  CoverPoint& ties_;
  CoverPoint& signs_;
  CoverPoint& under_nan_;
};

}  // namespace nibblecore::tb
