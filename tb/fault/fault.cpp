// SPDX-License-Identifier: Apache-2.0
#include "tb/fault/fault.hpp"

#include <algorithm>
#include <charconv>
#include <vector>

#include "model/common/error.hpp"
#include "model/formats/named_record.hpp"

namespace nibblecore::tb {
namespace {

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  for (size_t first = 0;;) {
    const size_t end = text.find(separator, first);
    parts.push_back(text.substr(first, end - first));
    if (end == std::string_view::npos) {
      return parts;
    }
    first = end + 1;
  }
}

[[noreturn]] void refuse(const std::string& place, std::string_view text,
                         const std::string& reason) {
  throw InputError(place, "'" + std::string(text) + "': " + reason);
}

int64_t number(std::string_view digits, const char* what, const std::string& place,
               std::string_view text) {
  int64_t value = 0;
  const char* end = digits.data() + digits.size();
  const auto [last, error] = std::from_chars(digits.data(), end, value);
  if (error != std::errc() || last != end || value < 0) {
    refuse(place, text,
           std::string(what) + " '" + std::string(digits) + "' is no whole number from 0 up");
  }
  return value;
}

}  // namespace

std::string_view name_of(FaultKind kind) {
  return std::find_if(kFaultKinds.begin(), kFaultKinds.end(),
                      [&](const FaultKindRecord& record) { return record.kind == kind; })
      ->name;
}

std::string text(const Fault& fault) {
  std::string result = std::string(hw::site_record(fault.site).name) + ':' +
                       std::to_string(fault.index) + ':' + std::to_string(fault.bit) + ':' +
                       std::string(name_of(fault.kind));
  return fault.kind == FaultKind::kFlip ? result + '@' + std::to_string(fault.cycle) : result;
}

Fault parse_fault(std::string_view text, const std::string& place) {
  const std::vector<std::string_view> parts = split(text, ':');
  if (parts.size() != 4) {
    refuse(place, text,
           "a fault is SITE:INDEX:BIT:KIND, KIND being stuck_at_0, stuck_at_1 or "
           "flip@CYCLE");
  }
  Fault fault{};
  fault.site = find_record(hw::site_records(), parts[0], place).site;
  fault.index = number(parts[1], "index", place, text);
  const int64_t bit = number(parts[2], "bit", place, text);
  const int bits = hw::site_record(fault.site).bits;
  if (bit >= bits) {
    refuse(place, text, std::string(parts[0]) + " has bits 0 to " + std::to_string(bits - 1));
  }
  fault.bit = static_cast<int>(bit);
  const std::vector<std::string_view> kind = split(parts[3], '@');
  fault.kind = find_record(kFaultKinds, kind[0], place).kind;
  if ((fault.kind == FaultKind::kFlip) != (kind.size() == 2)) {
    refuse(place, text,
           fault.kind == FaultKind::kFlip ? "a flip needs its cycle: flip@CYCLE"
                                          : "only a flip has a cycle");
  }
  if (kind.size() == 2) {
    fault.cycle = number(kind[1], "cycle", place, text);
  }
  return fault;
}

void require_instance(const Fault& fault, const hw::SiteExtents& extents,
                      const std::string& place) {
  const int64_t instances = hw::site_instances(fault.site, extents);
  if (instances == 0) {
    refuse(place, text(fault),
           "no data of " + std::string(extents.format.name) + " passes this bus");
  }
  if (fault.index >= instances) {
    refuse(place, text(fault),
           "the core has instances 0 to " + std::to_string(instances - 1) + " of this bus");
  }
}

}  // namespace nibblecore::tb
