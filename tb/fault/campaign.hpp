// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "tb/fault/bus_record.hpp"
#include "tb/fault/fault.hpp"
#include "tb/fault/fault_bench.hpp"
#include "tb/fault/fault_probe.hpp"
#include "tb/fault/fault_stimuli.hpp"

namespace nibblecore::tb {

enum class FaultClass {
  kDetected,
  kRedundant,  ///< proved: no result of any input differs
  kMasked,     ///< a flip whose value was not needed, or was rounded away, at every time tried
  kMissed,
};
inline constexpr int kFaultClasses = 4;
std::string_view name_of(FaultClass fault_class);

/// What became of one fault. Of a flip, `fault.cycle` is the time that was detected, or the last
/// one tried.
struct FaultResult {
  Fault fault;
  FaultClass fault_class = FaultClass::kMissed;
  Detection detection = Detection::kNone;
  std::string stimulus{};    ///< that detected it
  std::string reason{};      ///< the rule that proves it redundant, or why it was missed
  int64_t masked_times = 0;  ///< times of a flip that were tried in vain
};

/// What the buses of fault_machine() are counted by with data of `format` under a policy, in a
/// program whose regions are one tile.
hw::SiteExtents fault_extents(const BlockFormat& format,
                              Accumulation accumulation = Accumulation::kFp32Rne);

/// Every fault of these kinds in fault_machine() with data of `format`, site by site. A flip stands
/// for its bit; the campaign chooses the times. Under another policy than `fp32-rne` the faults of
/// those buses that no data passes under that one.
std::vector<Fault> all_faults(const BlockFormat& format, const std::vector<FaultKind>& kinds,
                              Accumulation accumulation = Accumulation::kFp32Rne);

/// `count` different ones of them in their order; which ones follows from `seed` alone.
std::vector<Fault> sample_faults(const std::vector<Fault>& faults, int64_t count, uint64_t seed);

/// Puts faults into the core of fault_machine(), one at a time.
class Campaign {
 public:
  /// Records every stimulus on the sound core. InternalError where that differs from the reference.
  Campaign(const BlockFormat& format, uint64_t seed);
  /// With other stimuli than those of the format.
  Campaign(const BlockFormat& format, uint64_t seed, FaultStimuli stimuli);

  /// InternalError where a bit has moved that a rule of redundancy.hpp holds to be constant.
  FaultResult classify(const Fault& fault);

  /// What the stimuli say of a stuck bit, whatever may be proved of it: detected or missed.
  FaultResult try_stimuli(const Fault& fault);

 private:
  using BitKey = std::tuple<hw::Site, int, FaultKind>;

  FaultResult classify_stuck(const Fault& fault);
  FaultResult classify_flip(const Fault& fault);
  bool flip_at_random(const Fault& fault, FaultResult& result);
  /// At the times of the first runs that show the bit stuck.
  bool flip_where_stuck_shows(const Fault& stuck, FaultResult& result);
  bool flip_shows(size_t stimulus, int64_t cycle, FaultResult& result);
  bool detects(size_t stimulus, const Fault& fault, FaultResult& result);
  /// Stimuli in the order to try: those that found the latest faults like this first.
  std::vector<size_t>& order(const Fault& fault);
  static void move_to_front(std::vector<size_t>& order, size_t stimulus);

  BlockFormat format_;
  uint64_t seed_;
  FaultStimuli stimuli_;
  std::vector<BusRecord> records_;
  FaultBench bench_;
  FaultProbe probe_;
  std::map<BitKey, std::vector<size_t>> orders_;
};

}  // namespace nibblecore::tb
