// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include "hw/channel/payload.hpp"
#include "hw/datapath/lanes.hpp"
#include "hw/datapath/scale_factor.hpp"
#include "hw/datapath/simd_target.hpp"
#include "hw/datapath/taps.hpp"

namespace nibblecore::hw {

/// Fields of one operand's scales for one block of a step, lane by lane; beyond the operand, 0.
struct ScaleLanes {
  LaneArray<Int32Lanes> significands;
  LaneArray<Int32Lanes> exponents;
  LaneArray<Int32Lanes> nan;  ///< 0 or 1

  explicit ScaleLanes(int lanes)
      : significands(static_cast<size_t>(padded_lanes(lanes) / kLanes)),
        exponents(significands.size()),
        nan(significands.size()) {}

  void set(size_t lane, const ScaleFactor& fields) {
    significands[lane / kLanes][lane % kLanes] = fields.significand;
    exponents[lane / kLanes][lane % kLanes] = fields.exponent;
    nan[lane / kLanes][lane % kLanes] = fields.is_nan ? 1 : 0;
  }
};

/// The circuit that multiplies every row's scale by every column's: E8M0 by adding exponents, UE4M3
/// and HiF4's E6M2 by a small integer product as well; NaN spreads. Widths are checked.
template <class Hooks>
class BasicScaleMultiplier {
 public:
  explicit BasicScaleMultiplier(const CoreDescription& core, SimdTarget target = best_simd_target(),
                                Hooks hooks = Hooks());

  /// Scale products of one step, for the blocks that the tag of `a` counts; `format` decides the
  /// scale. Dense block i and residual block i both meet B's scale i. Products of masked blocks are
  /// not written. InternalError where the tag's counts don't go with its kind.
  void multiply(const BlockFormat& format, const ScaleSlice& a, const ScaleSlice& b,
                ScaleProducts& result);

 private:
  void multiply_block(int block, ScaleProducts& result) const;

  CoreDescription core_;
  SimdTarget target_;
  Hooks hooks_;
  ScaleLanes a_;
  ScaleLanes b_;
};

extern template class BasicScaleMultiplier<NoHooks>;
extern template class BasicScaleMultiplier<ProbeHooks>;

using ScaleMultiplier = BasicScaleMultiplier<NoHooks>;

}  // namespace nibblecore::hw
