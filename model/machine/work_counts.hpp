// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "model/machine/partition.hpp"
#include "model/machine/program.hpp"

namespace nibblecore {

/// What the cores of a machine do for a GEMM, counted whenever it is done: operations on outputs
/// inside M x N, bytes that enter or leave a buffer. Rows and columns of tiles beyond the edge of
/// the output count nothing. docs/step-timing.md, "Counts", defines each.
enum class Work {
  kMxfp4DenseMacs,
  kMxfp4ResidualMacs,
  kMxfp4ScaleProducts,
  kMxfp4QuantizedValues,
  kHif4DenseMacs,
  kHif4ResidualMacs,
  kHif4ScaleProducts,
  kHif4QuantizedValues,
  kNvfp4DenseMacs,
  kNvfp4ResidualMacs,
  kNvfp4ScaleProducts,
  kNvfp4QuantizedValues,
  kBf16Macs,
  kResidualValues,
  kAdditions,
  kEpilogues,
  kMemoryLoadedBytes,
  kMemoryStoredBytes,
  kL1WrittenBytes,
  kL1ReadBytes,
  kL0WrittenBytes,
  kL0ReadBytes,
  kL0cWrittenBytes,
  kL0cReadBytes,
};
inline constexpr int kWorks = 24;

/// Groups in which energy is reported.
enum class WorkGroup { kArithmetic, kQuantizer, kL0, kL0c, kL1, kMemory };
inline constexpr int kWorkGroups = 6;
std::string_view name_of(WorkGroup group);

struct WorkRecord {
  std::string_view name;   ///< in reports
  std::string_view entry;  ///< of an energy table, which prices one of it
  WorkGroup group;
};

/// Every kind of work, in the order of the enumeration.
const std::array<WorkRecord, kWorks>& work_records();

/// How often each kind of work was done.
struct WorkCounts {
  std::array<int64_t, kWorks> counts{};

  int64_t& operator[](Work work) { return counts[static_cast<size_t>(work)]; }
  int64_t operator[](Work work) const { return counts[static_cast<size_t>(work)]; }

  /// Adds `other`, `times` times. InputError where a count leaves 64 bits.
  void add(const WorkCounts& other, int64_t times);

  friend bool operator==(const WorkCounts& a, const WorkCounts& b) { return a.counts == b.counts; }
};

/// Of one core that runs this program.
WorkCounts work_counts(const Program& program);

/// Of all cores of a partition.
WorkCounts work_counts(const Partition& partition);

/// Of a GEMM that stays in BF16: its multiply-accumulates, and operands and result once through the
/// memory, the least that any machine moves. What its buffers move is not known.
WorkCounts bf16_work(int64_t m, int64_t n, int64_t k);

}  // namespace nibblecore
