// SPDX-License-Identifier: Apache-2.0
#include "tb/fault/campaign.hpp"

#include <algorithm>
#include <array>
#include <numeric>
#include <random>
#include <set>
#include <utility>

#include "model/common/error.hpp"
#include "tb/fault/redundancy.hpp"

namespace nibblecore::tb {
namespace {

// Times tried for a flip: random ones first, then those of the runs that show the stuck bit.
constexpr int kRandomTimes = 8;
constexpr int kMostRuns = 12;
constexpr size_t kMostTimes = 256;  // of a run

}  // namespace

std::string_view name_of(FaultClass fault_class) {
  switch (fault_class) {
    case FaultClass::kDetected:
      return "detected";
    case FaultClass::kRedundant:
      return "redundant";
    case FaultClass::kMasked:
      return "masked";
    case FaultClass::kMissed:
      return "missed";
  }
  throw InternalError("unknown class of a fault");
}

hw::SiteExtents fault_extents(const BlockFormat& format, Accumulation accumulation) {
  GemmSpec spec{2, 2, 64, format};
  spec.accumulation = accumulation;
  return site_extents(Program(fault_machine(), spec, {1, 1, 1}));
}

std::vector<Fault> all_faults(const BlockFormat& format, const std::vector<FaultKind>& kinds,
                              Accumulation accumulation) {
  const hw::SiteExtents extents = fault_extents(format, accumulation);
  const hw::SiteExtents of_default = fault_extents(format);
  std::vector<Fault> faults;
  for (const hw::SiteRecord& record : hw::site_records()) {
    const bool elsewhere =
        accumulation != Accumulation::kFp32Rne && hw::site_instances(record.site, of_default) > 0;
    const int64_t instances = elsewhere ? 0 : hw::site_instances(record.site, extents);
    for (int64_t index = 0; index < instances; ++index) {
      for (int bit = 0; bit < record.bits; ++bit) {
        for (const FaultKind kind : kinds) {
          faults.push_back({record.site, index, bit, kind});
        }
      }
    }
  }
  return faults;
}

std::vector<Fault> sample_faults(const std::vector<Fault>& faults, int64_t count, uint64_t seed) {
  const auto wanted = std::min(static_cast<size_t>(count), faults.size());
  std::mt19937_64 random(seed);
  std::set<size_t> chosen;
  while (chosen.size() < wanted) {
    chosen.insert(static_cast<size_t>(random() % faults.size()));
  }
  std::vector<Fault> sample;
  sample.reserve(chosen.size());
  for (const size_t i : chosen) {
    sample.push_back(faults[i]);
  }
  return sample;
}

Campaign::Campaign(const BlockFormat& format, uint64_t seed)
    : Campaign(format, seed, make_stimuli(format, seed)) {}

Campaign::Campaign(const BlockFormat& format, uint64_t seed, FaultStimuli stimuli)
    : format_(format), seed_(seed), stimuli_(std::move(stimuli)), records_(stimuli_.size()) {
  for (size_t i = 0; i < stimuli_.size(); ++i) {
    const Detection detection = bench_.run(*stimuli_[i], records_[i]);
    if (detection != Detection::kNone) {
      throw InternalError("stimulus '" + stimuli_[i]->name() + "': a core without a fault shows " +
                          std::string(name_of(detection)));
    }
  }
}

FaultResult Campaign::classify(const Fault& fault) {
  return fault.kind == FaultKind::kFlip ? classify_flip(fault) : classify_stuck(fault);
}

std::vector<size_t>& Campaign::order(const Fault& fault) {
  std::vector<size_t>& order = orders_[{fault.site, fault.bit, fault.kind}];
  if (order.empty()) {
    order.resize(stimuli_.size());
    std::iota(order.begin(), order.end(), size_t{0});
  }
  return order;
}

void Campaign::move_to_front(std::vector<size_t>& order, size_t stimulus) {
  const auto place = std::find(order.begin(), order.end(), stimulus);
  std::rotate(order.begin(), place, place + 1);
}

bool Campaign::detects(size_t stimulus, const Fault& fault, FaultResult& result) {
  probe_.set(fault);
  const Detection detection = bench_.run(*stimuli_[stimulus], probe_);
  if (detection == Detection::kNone) {
    return false;
  }
  result.fault = fault;
  result.fault_class = FaultClass::kDetected;
  result.detection = detection;
  result.stimulus = stimuli_[stimulus]->name();
  return true;
}

FaultResult Campaign::try_stimuli(const Fault& fault) {
  FaultResult result{fault};
  std::vector<size_t>& stimuli = order(fault);
  bool exercised = false;
  for (const size_t i : stimuli) {
    if (!records_[i].exercises(fault)) {
      continue;
    }
    exercised = true;
    if (detects(i, fault, result)) {
      move_to_front(stimuli, i);
      return result;
    }
  }
  result.reason = exercised ? "no stimulus carries its effect to a result"
                            : "no stimulus puts the other value on this bit";
  return result;
}

FaultResult Campaign::classify_stuck(const Fault& fault) {
  const std::optional<std::string_view> proof = redundancy(fault, format_);
  if (!proof) {
    return try_stimuli(fault);
  }
  FaultResult result{fault};
  result.fault_class = FaultClass::kRedundant;
  result.reason = *proof;
  const bool moves = std::any_of(records_.begin(), records_.end(),
                                 [&](const BusRecord& record) { return record.exercises(fault); });
  if (moves && is_constant_bit(fault, format_)) {
    throw InternalError(text(fault) + " moved, though held to be constant: " + result.reason);
  }
  return result;
}

FaultResult Campaign::classify_flip(const Fault& fault) {
  FaultResult result{fault};
  const std::array<Fault, 2> stuck_bits{
      Fault{fault.site, fault.index, fault.bit, FaultKind::kStuckAt0},
      Fault{fault.site, fault.index, fault.bit, FaultKind::kStuckAt1}};
  const std::optional<std::string_view> proof = redundancy(stuck_bits[0], format_);
  if (proof && redundancy(stuck_bits[1], format_)) {
    result.fault_class = FaultClass::kRedundant;
    result.reason = *proof;
    return result;
  }
  if (flip_at_random(fault, result)) {
    return result;
  }
  for (const Fault& stuck : stuck_bits) {
    if (!redundancy(stuck, format_) && flip_where_stuck_shows(stuck, result)) {
      return result;
    }
  }
  result.fault_class = FaultClass::kMasked;
  result.reason = "masked at every time tried";
  return result;
}

bool Campaign::flip_at_random(const Fault& fault, FaultResult& result) {
  // One generator a bit, so that a fault's times don't depend on which others are tried.
  std::seed_seq sequence{seed_, static_cast<uint64_t>(fault.site),
                         static_cast<uint64_t>(fault.index), static_cast<uint64_t>(fault.bit)};
  std::mt19937_64 random(sequence);
  std::vector<size_t> carrying;
  for (size_t i = 0; i < stimuli_.size(); ++i) {
    if (records_[i].carries(fault.site, fault.index)) {
      carrying.push_back(i);
    }
  }
  for (int time = 0; time < kRandomTimes && !carrying.empty(); ++time) {
    const size_t i = carrying[random() % carrying.size()];
    const std::vector<int64_t> cycles = records_[i].cycles(fault.site, fault.index);
    if (flip_shows(i, cycles[random() % cycles.size()], result)) {
      return true;
    }
  }
  return false;
}

bool Campaign::flip_where_stuck_shows(const Fault& stuck, FaultResult& result) {
  std::vector<size_t>& stimuli = order(stuck);
  int runs = 0;
  for (const size_t i : std::vector<size_t>(stimuli)) {
    FaultResult shown{stuck};
    if (runs == kMostRuns || !records_[i].exercises(stuck) || !detects(i, stuck, shown)) {
      continue;
    }
    ++runs;
    move_to_front(stimuli, i);
    std::vector<int64_t> cycles = records_[i].cycles(stuck.site, stuck.index);
    cycles.resize(std::min(cycles.size(), kMostTimes));
    if (std::any_of(cycles.begin(), cycles.end(),
                    [&](int64_t cycle) { return flip_shows(i, cycle, result); })) {
      return true;
    }
  }
  return false;
}

bool Campaign::flip_shows(size_t stimulus, int64_t cycle, FaultResult& result) {
  result.fault.cycle = cycle;
  if (detects(stimulus, result.fault, result)) {
    return true;
  }
  ++result.masked_times;
  return false;
}

}  // namespace nibblecore::tb
