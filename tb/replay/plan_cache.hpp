// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <optional>
#include <vector>

#include "model/machine/partition.hpp"
#include "model/machine/work_counts.hpp"

namespace nibblecore::tb {

/// How a machine runs one GEMM, and what that takes.
struct GemmPlan {
  std::optional<Partition> partition;  ///< where it was kept
  CycleReport slowest;                 ///< of the slowest core
  int64_t steps = 0;                   ///< of all cores
  WorkCounts work;                     ///< of all cores
};

/// Whether plans hold their programs, which of many GEMMs on many cores take most of the memory, or
/// only what these take.
enum class Partitions { kDropped, kKept };

/// The plans of a run: equal GEMMs are planned once, and different ones at the same time. Which
/// threads there are changes nothing.
class PlanCache {
 public:
  /// Machine and choice outlive the cache.
  PlanCache(const Machine& machine, const TilingChoice& choice, Partitions partitions)
      : machine_(machine), choice_(choice), partitions_(partitions) {}

  /// Notes a GEMM that is to be planned; gives its place, the same one for equal GEMMs.
  size_t add(const GemmSpec& spec);
  /// Plans what was added, on up to `threads` threads (0: one per processor).
  void plan(int threads);
  /// The plan of a GEMM that was added and planned; the InputError of planning it, where it has
  /// one.
  std::shared_ptr<const GemmPlan> at(size_t place) const;

  size_t size() const { return entries_.size(); }

 private:
  struct Entry {
    GemmSpec spec;
    std::shared_ptr<const GemmPlan> plan;
    std::exception_ptr failure;
  };

  const Machine& machine_;
  const TilingChoice& choice_;
  Partitions partitions_;
  std::vector<Entry> entries_;
  std::vector<size_t> order_;  // of the entries, by spec
};

}  // namespace nibblecore::tb
