// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "hw/datapath/block_quantizer.hpp"
#include "hw/datapath/site.hpp"
#include "tb/coverage/quantizer_points.hpp"
#include "tb/coverage/residual_points.hpp"

namespace nibblecore::tb {

/// Reads the online quantizers' buses, block by block, and the 2:4 selector's behind them.
class QuantizerWatch {
 public:
  /// Jobs of the operands that are online.
  QuantizerWatch(const BlockFormat& format, const std::optional<hw::QuantizerJob>& a,
                 const std::optional<hw::QuantizerJob>& b, QuantizerPoints& points,
                 ResidualPoints& residuals);

  void bus(hw::Site site, int64_t index, int32_t value);

 private:
  QuantizedSample& sample_of(int64_t circuit);
  void element(hw::Site site, int64_t index, uint32_t value);
  void finish(const QuantizedSample& block);

  int block_;
  std::optional<hw::QuantizerJob> a_;
  std::optional<hw::QuantizerJob> b_;
  QuantizerPoints& points_;
  ResidualPoints& residuals_;
  std::array<QuantizedSample, hw::kQuantizerCircuits> samples_{};
};

}  // namespace nibblecore::tb
