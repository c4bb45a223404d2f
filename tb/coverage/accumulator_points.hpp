// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "model/formats/block_format.hpp"
#include "tb/coverage/addition.hpp"
#include "tb/coverage/coverage.hpp"

namespace nibblecore::tb {

/// One addition at an accumulator: before + term * 2^exponent.
struct AccumulatorInput {
  uint32_t before;  ///< FP32 bits
  int32_t term;
  int32_t exponent;
  bool nan;  ///< one of the scales is NaN
};

/// What the accumulators' adders of one format do: alignment, signs, cancellation, rounding, range,
/// special values.
class AccumulatorPoints {
 public:
  AccumulatorPoints(const BlockFormat& format, Coverage& coverage);

  /// Returns what the adder has to give, worked out apart from it.
  uint32_t sample(const AccumulatorInput& input);

 private:
  uint32_t sample_special(const AccumulatorInput& input);
  uint32_t sample_zero(const AccumulatorInput& input);
  void sample_alignment(const Addition& addition);
  void sample_cancellation(const Addition& addition);
  uint32_t sample_rounding(Int128 sum, int32_t exponent);

  CoverPoint& term_bits_;
  CoverPoint& signs_;
  CoverPoint& alignment_;
  CoverPoint& cancellation_;
  CoverPoint& rounding_;
  CoverPoint& result_;
  CoverPoint& special_;
};

}  // namespace nibblecore::tb
