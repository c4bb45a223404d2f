// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "tb/fault/campaign.hpp"

namespace nibblecore::tb {

/// Faults by what became of them.
struct FaultCounts {
  std::array<int64_t, kFaultClasses> classes{};
  std::array<int64_t, kDetections> detections{};  ///< of the detected ones
  int64_t masked_times = 0;

  void add(const FaultResult& result);
  int64_t of(FaultClass fault_class) const { return classes.at(static_cast<size_t>(fault_class)); }
  int64_t of(Detection detection) const { return detections.at(static_cast<size_t>(detection)); }
  int64_t total() const;
  /// Detected part of the faults that are not redundant; 1 where there are none.
  double coverage() const;
};

/// A campaign that detects less than this part of the faults that are not redundant has failed.
inline constexpr double kLeastCoverage = 0.99;

/// Counts of the stuck bits, or of the flips.
FaultCounts count(const std::vector<FaultResult>& results, bool flips);

/// A table of counts by site, coverage, and the faults that were missed or masked, bits that share
/// a reason in one line.
std::string campaign_table(const std::vector<FaultResult>& results);

/// One record a fault: CSV where the file's name ends in .csv, else JSON. InputError naming the
/// file where it cannot be written.
void write_campaign(const std::filesystem::path& path, const std::vector<FaultResult>& results);

/// The sites of a core under a policy in a table: name, bits, instances in fault_machine(), where.
std::string site_table(const BlockFormat& format,
                       Accumulation accumulation = Accumulation::kFp32Rne);

}  // namespace nibblecore::tb
