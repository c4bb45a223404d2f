// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace nibblecore::tb {

/// One class of what a point watches. A bin that no run can hit says why.
struct CoverBin {
  std::string name;
  std::string unreachable;  ///< the reason; empty where a run can hit the bin
  int64_t hits = 0;

  bool is_reachable() const { return unreachable.empty(); }
};

/// Something that the testbench watches, cut into bins. A value belongs to one bin at most.
class CoverPoint {
 public:
  CoverPoint(std::string group, std::string name, std::vector<CoverBin> bins);

  void hit(size_t bin, int64_t times = 1) { bins_.at(bin).hits += times; }

  const std::string& group() const { return group_; }
  const std::string& name() const { return name_; }
  const std::vector<CoverBin>& bins() const { return bins_; }

  /// Bins that can be hit, and how many of them were.
  int64_t reachable() const;
  int64_t covered() const;
  /// Reachable bins that were never hit.
  std::vector<CoverBin> holes() const;
  /// Bins that were hit although they are declared unreachable: the reason is wrong, or the core.
  std::vector<CoverBin> surprises() const;

 private:
  std::string group_;
  std::string name_;
  std::vector<CoverBin> bins_;
};

/// Bins of these names, all of them reachable.
std::vector<CoverBin> bins_of(const std::vector<std::string>& names);

/// Declares the bins from `first` to `last`, both included, unreachable for this reason.
void rule_out(std::vector<CoverBin>& bins, size_t first, size_t last, const std::string& reason);

/// Every name of `a` with every name of `b`, those of `b` running fastest.
std::vector<std::string> cross(const std::vector<std::string>& a,
                               const std::vector<std::string>& b);

}  // namespace nibblecore::tb
