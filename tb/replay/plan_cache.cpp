// SPDX-License-Identifier: Apache-2.0
#include "tb/replay/plan_cache.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

#include <boost/pfr.hpp>

#include "model/common/checked.hpp"
#include "model/common/error.hpp"
#include "model/common/parallel.hpp"

namespace nibblecore::tb {
namespace {

/// All that tells one GEMM from another.
auto key_of(const GemmSpec& spec) {
  static_assert(boost::pfr::tuple_size_v<GemmSpec> == 17, "a field is new: it belongs here");
  return std::make_tuple(spec.m, spec.n, spec.k, spec.format.element, spec.format.scale,
                         spec.format.block, spec.a, spec.b, spec.residual, spec.residual_build,
                         spec.residual_order, spec.residual_accumulator, spec.macro_length,
                         spec.a_has_factors, spec.b_has_factors, spec.macro_epilogue, spec.start,
                         spec.output, spec.accumulation);
}

GemmPlan plan_of(const Machine& machine, const GemmSpec& spec, const TilingChoice& choice,
                 Partitions partitions) {
  constexpr const char* kPlace = "steps of a GEMM";
  Partition partition = choose_partition(machine, spec, choice);
  const std::vector<TimedProgram>& programs = partition.programs;
  GemmPlan plan;
  plan.slowest = std::max_element(programs.begin(), programs.end(),
                                  [](const TimedProgram& a, const TimedProgram& b) {
                                    return a.report.total < b.report.total;
                                  })
                     ->report;
  for (const TimedProgram& timed : programs) {
    plan.steps = checked_add(plan.steps,
                             checked_multiply(timed.program.steps(), timed.count, kPlace), kPlace);
  }
  plan.work = work_counts(partition);
  if (partitions == Partitions::kKept) {
    plan.partition = std::move(partition);
  }
  return plan;
}

}  // namespace

size_t PlanCache::add(const GemmSpec& spec) {
  const auto found = std::lower_bound(
      order_.begin(), order_.end(), key_of(spec),
      [&](size_t place, const auto& key) { return key_of(entries_[place].spec) < key; });
  if (found != order_.end() && key_of(entries_[*found].spec) == key_of(spec)) {
    return *found;
  }
  const size_t place = entries_.size();
  order_.insert(found, place);
  entries_.push_back({spec, nullptr, nullptr});
  return place;
}

void PlanCache::plan(int threads) {
  parallel_for(static_cast<int64_t>(entries_.size()), 1, threads, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      Entry& entry = entries_[static_cast<size_t>(i)];
      if (entry.plan || entry.failure) {
        continue;
      }
      // Kept until its GEMM is asked for: which mistake is told does not depend on who was first.
      try {
        entry.plan =
            std::make_shared<GemmPlan>(plan_of(machine_, entry.spec, choice_, partitions_));
      } catch (const InputError&) {
        entry.failure = std::current_exception();
      }
    }
  });
}

std::shared_ptr<const GemmPlan> PlanCache::at(size_t place) const {
  const Entry& entry = entries_.at(place);
  if (entry.failure) {
    std::rethrow_exception(entry.failure);
  }
  if (!entry.plan) {
    throw InternalError("a GEMM that was not planned");
  }
  return entry.plan;
}

}  // namespace nibblecore::tb
