// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "model/formats/block_format.hpp"

namespace nibblecore::tb {

/// Where the terms of a whole GEMM lie.
enum class Range {
  kOrdinary,   ///< near 1
  kUnderflow,  ///< about FP32's subnormals; MXFP4 only, the other formats don't reach them
  kOverflow,   ///< about 2^128; MXFP4 only
  kAny,        ///< every block anywhere
};

/// How the codes of a packed block are drawn.
enum class BlockStyle {
  kRandom,
  kZero,
  kGreatest,       ///< the largest magnitude everywhere, signs alike
  kMixedGreatest,  ///< the same, any signs
  kSparse,         ///< a few elements that are not zero
  kPowers,         ///< one of them, of a power of two
  kNearPower,      ///< elements that sum to one off a power of two
  kConstant,       ///< the same element everywhere
};

/// How the values of an online block are drawn.
enum class ValueStyle {
  kThreshold,  ///< maximum at and about a threshold of the scale; elements on numbers and ties
  kRandom,
  kZero,
  kFlat,     ///< a residual that is the same everywhere but at the maximum
  kSpecial,  ///< with NaN, infinities, subnormals, the largest numbers
};

/// How an accumulator's start value is drawn, mostly from the first term that is added to it.
enum class StartStyle {
  kDistance,  ///< any distance of exponents
  kCancel,    ///< the term's opposite, or a few last bits from it
  kFraction,  ///< the sum lies at a chosen place between two FP32 numbers
  kTie,       ///< the term ends in half of the accumulator's last bit
  kSpecial,   ///< zeros, infinities, NaN, ends of the range
};

/// What random GEMMs are drawn from. Probabilities are 0 to 1; weights are in the order of their
/// enumeration and need no sum.
struct StimulusConstraints {
  std::vector<BlockFormat> formats{kMxfp4, kHif4, kNvfp4};

  // Shapes, in tiles and steps.
  int64_t most_tiles = 3;
  int64_t most_steps = 6;
  int64_t most_lanes = 5;  ///< rows and columns of the core

  // Programs.
  double online = 0.6;    ///< of each operand
  double residual = 0.7;  ///< of an online A
  double start_values = 0.6;
  double bf16_output = 0.2;

  // Back-pressure.
  double pressure = 0.4;      ///< of channels that refuse at all
  double most_refused = 0.7;  ///< greatest probability that a channel refuses in a cycle

  // Operands.
  std::vector<double> ranges{4, 1, 2, 2};
  double nan = 0.25;         ///< of a GEMM that has any
  double extremes = 0.4;     ///< the same of scales at the ends of their range
  double least = 0.05;       ///< the same of many blocks under the least scale
  double greatest = 0.3;     ///< the same of many blocks of greatest magnitude
  double near_powers = 0.2;  ///< the same of many blocks of kNearPower and kConstant
  std::vector<double> block_styles{10, 1, 2, 1, 3, 1, 1, 1};
  std::vector<double> value_styles{8, 4, 1, 1, 1};
  std::vector<double> start_styles{4, 3, 5, 2, 1};
};

}  // namespace nibblecore::tb
