// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tb/coverage/quantizer_points.hpp"

namespace nibblecore::tb {

/// The HiF4 quantizers: level-1 scale, micro-exponent decisions, element rounding, special values.
class Hif4QuantizerPoints final : public QuantizerPoints {
 public:
  explicit Hif4QuantizerPoints(Coverage& coverage);

  void sample(const QuantizedSample& block, const hw::QuantizerJob& job) override;
  void sample_nan_units(hw::QuantizerCircuit circuit, int64_t units) override {
    circuits_.sample_nan(circuit, units);
  }

 private:
  void sample_decisions(const QuantizedSample& block);
  void sample_elements(const QuantizedSample& block, const Hif4Rule& rule);

  CircuitPoint circuits_;
  CoverPoint& maxima_;
  CoverPoint& scales_;
  CoverPoint& level2_;
  CoverPoint& level3_;
  CoverPoint& roundings_;
  CoverPoint& ties_;
  CoverPoint& signs_;
};

}  // namespace nibblecore::tb
