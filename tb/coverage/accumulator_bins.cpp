// SPDX-License-Identifier: Apache-2.0
#include "tb/coverage/accumulator_bins.hpp"

#include "tb/coverage/addition.hpp"

namespace nibblecore::tb::accumulator_bins {
namespace {

using Names = std::vector<std::string>;

bool is_mxfp4(const BlockFormat& format) { return format.scale == ScaleKind::kE8m0; }

/// Why a sum of this format is never below 2^-126 unless it is 0.
std::string no_subnormal(const BlockFormat& format) {
  return format.scale == ScaleKind::kHif4
             ? "a term that is not 0 is at least 16 * 2^-104 = 2^-100; a sum below 2^-126 would "
               "need "
               "an accumulator beyond 2^-101, and sums of the two are multiples of 2^-124 or 0"
             : "a term that is not 0 is at least 2^-20; a sum below 2^-126 would need an "
               "accumulator "
               "beyond 2^-21, and sums of the two are multiples of 2^-44 or 0";
}

std::string no_overflow(const BlockFormat& format) {
  return format.scale == ScaleKind::kHif4
             ? "a term is below 2^22 * 2^22 = 2^44, less than half of the last bit of the largest "
               "FP32 number, 2^103: that number stays"
             : "a term is below 2^19 * 2^8 = 2^27, less than half of the last bit of the largest "
               "FP32 number, 2^103: that number stays";
}

Names directions(const std::string& higher) {
  Names names;
  for (int distance = 1; distance <= kLeftShifts; ++distance) {
    names.push_back(higher + " by " + std::to_string(distance));
  }
  names.push_back(higher + " by 28 or more, no bit lost");
  names.push_back(higher + " by 28 or more, some bits lost");
  names.push_back(higher + " by 28 or more, sticky bit alone");
  return names;
}

}  // namespace

std::vector<CoverBin> term(const BlockFormat& format) {
  const int most = is_mxfp4(format) ? 13 : format.scale == ScaleKind::kHif4 ? 22 : 19;
  Names names;
  for (int bits = 0; bits <= most; ++bits) {
    names.push_back(std::to_string(bits));
  }
  std::vector<CoverBin> bins = bins_of(names);
  if (format.scale == ScaleKind::kHif4) {
    rule_out(bins, 1, 4, "the significands of two E6M2 scales multiply to 16 at least");
  }
  return bins;
}

std::vector<CoverBin> sign() {
  return bins_of({"+ and +", "+ and -", "- and +", "- and -", "+0 and +", "+0 and -", "-0 and +",
                  "-0 and -", "+ and 0", "- and 0", "+0 and 0", "-0 and 0", "subnormal and 0"});
}

std::vector<CoverBin> alignment() {
  Names names{"equal exponents"};
  for (const char* higher : {"accumulator above", "term above"}) {
    const Names of = directions(higher);
    names.insert(names.end(), of.begin(), of.end());
  }
  return bins_of(names);
}

std::vector<CoverBin> cancellation() {
  Names names{"added, no carry", "added, carry"};
  for (int bits = 0; bits <= kMostCancelled; ++bits) {
    names.push_back("subtracted, " + std::to_string(bits) + " bits cancelled");
  }
  names.emplace_back("subtracted, exact zero");
  return bins_of(names);
}

std::vector<CoverBin> rounding(const BlockFormat& format) {
  const Names fractions{"exact",           "just above", "below half",
                        "just below half", "tie, down",  "tie, up",
                        "just above half", "above half", "just below the next"};
  std::vector<CoverBin> bins =
      bins_of(cross({"normal +", "normal -", "subnormal +", "subnormal -"}, fractions));
  if (!is_mxfp4(format)) {
    rule_out(bins, 2 * kFractions, 4 * kFractions - 1, no_subnormal(format));
  }
  return bins;
}

std::vector<CoverBin> result(const BlockFormat& format) {
  std::vector<CoverBin> bins =
      bins_of({"exact zero", "+0 by underflow", "-0 by underflow", "+ subnormal", "- subnormal",
               "least normal, rounded up to", "normal", "+inf by rounding", "-inf by rounding",
               "+inf, sum from 2^128 up", "-inf, sum from 2^128 up"});
  if (!is_mxfp4(format)) {
    rule_out(bins, kUnderflowPositive, kRoundedToLeastNormal, no_subnormal(format));
    rule_out(bins, kInfinityByRounding, kNegativeInfinityByRange, no_overflow(format));
  }
  return bins;
}

std::vector<CoverBin> special() {
  return bins_of({"+inf stays", "-inf stays", "NaN stays", "NaN with a payload becomes 7FC00000",
                  "NaN scale over a number", "NaN scale over an infinity", "NaN scale over a NaN",
                  "NaN scale over a zero sum", "subnormal accumulator"});
}

}  // namespace nibblecore::tb::accumulator_bins
