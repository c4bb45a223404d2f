// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace nibblecore {

/// Steps between two FP32 numbers (bit patterns) on the line of all of them: both zeros are one
/// point, infinity follows the largest finite number. Two NaNs are at distance 0; none where only
/// one is a NaN.
std::optional<uint32_t> ulp_distance(uint32_t x, uint32_t y);

/// One bin of a histogram: pairs whose distance is in first..last.
struct UlpBin {
  uint32_t first;
  uint32_t last;
  uint64_t count;

  /// "0", "2", "5-8".
  std::string label() const;
};

/// Counts pairs of FP32 numbers by their ulp_distance: bins 0, 1, 2, 3-4, 5-8, ... up to the
/// largest distance there is, and pairs of which only one is a NaN apart.
class UlpHistogram {
 public:
  void add(uint32_t x, uint32_t y);
  UlpHistogram& operator+=(const UlpHistogram& other);

  /// Pairs added, NaN mismatches included.
  uint64_t count() const;
  uint64_t nan_mismatches() const { return nan_mismatches_; }
  /// Largest distance added, 0 where there is none.
  uint32_t max() const { return max_; }
  /// Every bin in ascending order, empty ones included.
  std::vector<UlpBin> bins() const;

  /// Hands all that this holds to `visit`, to be stored or restored.
  template <typename Visit>
  void for_each_field(Visit& visit) {
    auto& [counts, nan_mismatches, max] = *this;
    visit(counts);
    visit(nan_mismatches);
    visit(max);
  }

 private:
  static constexpr int kBins = 34;

  std::array<uint64_t, kBins> counts_{};
  uint64_t nan_mismatches_ = 0;
  uint32_t max_ = 0;
};

}  // namespace nibblecore
