// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tb/coverage/quantizer_points.hpp"

namespace nibblecore::tb {

/// The NVFP4 quantizers: tensor factor, block scale, element rounding, special values.
class Nvfp4QuantizerPoints final : public QuantizerPoints {
 public:
  explicit Nvfp4QuantizerPoints(Coverage& coverage);

  void sample(const QuantizedSample& block, const hw::QuantizerJob& job) override;

 private:
  void sample_scale(const QuantizedSample& block, const hw::Nvfp4Factors& factors);
  void sample_element(uint32_t magnitude, uint32_t scaled, uint8_t code);

  CircuitPoint circuits_;
  CoverPoint& factors_;
  CoverPoint& scales_;
  CoverPoint& scale_roundings_;
  CoverPoint& roundings_;
  CoverPoint& ties_;
  CoverPoint& signs_;
};

}  // namespace nibblecore::tb
