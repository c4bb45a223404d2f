// SPDX-License-Identifier: Apache-2.0
#include "tb/coverage/array_points.hpp"

#include <string>
#include <vector>

namespace nibblecore::tb {
namespace {

std::vector<CoverBin> pair_bins() {
  constexpr const char* kDigits = "0123456789ABCDEF";
  std::vector<std::string> codes;
  codes.reserve(16);
  for (int code = 0; code < 16; ++code) {
    codes.emplace_back(1, kDigits[code]);
  }
  return bins_of(cross(codes, codes));
}

std::vector<CoverBin> micro_exponent_bins() {
  const std::vector<std::string> of_a{"A 00", "A 01", "A 10", "A 11"};
  const std::vector<std::string> of_b{"B 00", "B 01", "B 10", "B 11"};
  return bins_of(cross(of_a, of_b));
}

std::vector<CoverBin> sum_bins() {
  return bins_of(
      {"least", "negative", "zero by cancellation", "zero of zeros", "positive", "greatest"});
}

/// `greatest`: of the bus.
size_t sum_bin(int32_t sum, int32_t greatest, bool products) {
  if (sum == 0) {
    return products ? 2 : 3;
  }
  if (sum < 0) {
    return sum == -greatest ? 0 : 1;
  }
  return sum == greatest ? 5 : 4;
}

}  // namespace

ArrayPoints::ArrayPoints(const BlockFormat& format, Lanes lanes, Coverage& coverage)
    : pairs_(coverage.add(
          std::string(format.name) + (lanes == Lanes::kDense ? " array" : " 2:4 array"),
          "element codes of A, of B", pair_bins())),
      groups_(coverage.add(pairs_.group(), "sum of eight along K",
                           bins_of({"least", "negative", "zero", "positive", "greatest"}))),
      blocks_(coverage.add(pairs_.group(), "block sum", sum_bins())) {
  const bool hif4 = format.element == ElementKind::kS1p2;
  const int products = lanes == Lanes::kDense ? format.block : format.block / 2;
  const int products_of_eight = lanes == Lanes::kDense ? 8 : 4;
  greatest_group_ = products_of_eight * (hif4 ? 14 * 14 : 12 * 12);
  greatest_block_ = products * (hif4 ? 28 * 28 : 12 * 12);
  if (hif4) {
    micro_exponents_ =
        &coverage.add(pairs_.group(), "levels 2 and 3 of A, of B", micro_exponent_bins());
    shifts_ = &coverage.add(pairs_.group(), "shift of a sum of eight", bins_of({"0", "1", "2"}));
  }
}

void ArrayPoints::sample_group(int32_t sum, int shift) {
  constexpr std::array<size_t, 6> kBins{0, 1, 2, 2, 3, 4};
  groups_.hit(kBins.at(sum_bin(sum, greatest_group_, false)));
  if (shifts_ != nullptr) {
    shifts_->hit(static_cast<size_t>(shift));
  }
}

void ArrayPoints::sample_block(int32_t sum, bool products) {
  blocks_.hit(sum_bin(sum, greatest_block_, products));
}

}  // namespace nibblecore::tb
