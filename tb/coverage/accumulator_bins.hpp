// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "model/formats/block_format.hpp"
#include "tb/coverage/cover_point.hpp"

namespace nibblecore::tb::accumulator_bins {

// The bins of AccumulatorPoints, with the proofs of those that a format can't reach.

inline constexpr int kLeftShifts = 27;  ///< of the aligner
/// Bins of one direction of the alignment: a distance each, then three behind the aligner's left
/// shift.
inline constexpr size_t kDirection = kLeftShifts + 3;
inline constexpr int kMostCancelled = 24;

/// First bins of both numbers, of a zero accumulator, of a zero term.
enum SignBin : size_t { kNumbers = 0, kZeroStart = 4, kZeroTerm = 8 };

enum ResultBin : size_t {
  kExactZero,
  kUnderflowPositive,
  kUnderflowNegative,
  kSubnormalPositive,
  kSubnormalNegative,
  kRoundedToLeastNormal,
  kNormal,
  kInfinityByRounding,
  kNegativeInfinityByRounding,
  kInfinityByRange,
  kNegativeInfinityByRange,
};

enum SpecialBin : size_t {
  kInfinityStays,
  kNegativeInfinityStays,
  kNanStays,
  kPayloadDropped,
  kNanScaleOverNumber,
  kNanScaleOverInfinity,
  kNanScaleOverNan,
  kNanScaleOverZeroTerm,
  kSubnormalStart,
};

std::vector<CoverBin> term(const BlockFormat& format);
std::vector<CoverBin> sign();
std::vector<CoverBin> alignment();
std::vector<CoverBin> cancellation();
std::vector<CoverBin> rounding(const BlockFormat& format);
std::vector<CoverBin> result(const BlockFormat& format);
std::vector<CoverBin> special();

}  // namespace nibblecore::tb::accumulator_bins
