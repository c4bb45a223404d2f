// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "hw/datapath/site.hpp"

namespace nibblecore::tb {

enum class FaultKind {
  kStuckAt0,
  kStuckAt1,
  kFlip,  ///< the first value that the bus carries in one cycle
};

struct FaultKindRecord {
  std::string_view name;
  FaultKind kind;
};
inline constexpr std::array<FaultKindRecord, 3> kFaultKinds{{{"stuck_at_0", FaultKind::kStuckAt0},
                                                             {"stuck_at_1", FaultKind::kStuckAt1},
                                                             {"flip", FaultKind::kFlip}}};

std::string_view name_of(FaultKind kind);

/// One bit of one instance of a bus that does not do as it should.
struct Fault {
  hw::Site site;
  int64_t index;  ///< site.hpp counts
  int bit;        ///< 0: the lowest
  FaultKind kind;
  int64_t cycle = 0;  ///< of a flip: the clock edge of the GEMM, from 0

  friend bool operator==(const Fault& a, const Fault& b) {
    return a.site == b.site && a.index == b.index && a.bit == b.bit && a.kind == b.kind &&
           a.cycle == b.cycle;
  }
};

/// "product:12:3:stuck_at_0", "adder.sum:0:51:flip@100".
std::string text(const Fault& fault);

/// The fault of such a text. InputError at `place` where it has another form, names no site or
/// kind, a bit that the site does not have, or a flip has no cycle.
Fault parse_fault(std::string_view text, const std::string& place = "--fault");

/// InputError at `place` unless the bus has this instance in a core of these extents.
void require_instance(const Fault& fault, const hw::SiteExtents& extents,
                      const std::string& place = "--fault");

}  // namespace nibblecore::tb
