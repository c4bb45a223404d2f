// SPDX-License-Identifier: Apache-2.0
#include "tb/fault/campaign_report.hpp"

#include <map>
#include <numeric>
#include <tuple>

#include <boost/json.hpp>
#include <fmt/format.h>

#include "model/common/atomic_file.hpp"
#include "tb/replay/text_table.hpp"

namespace nibblecore::tb {
namespace {

using Align = TextTable::Align;

std::string dash(int64_t value) { return value == 0 ? "-" : grouped(value); }

void add_row(const std::string& name, const FaultCounts& counts, TextTable& table) {
  table.add_row({name, grouped(counts.total()), dash(counts.of(Detection::kValue)),
                 dash(counts.of(Detection::kCycles)), dash(counts.of(Detection::kProtocol)),
                 dash(counts.of(Detection::kAssertion)), dash(counts.of(FaultClass::kRedundant)),
                 dash(counts.of(FaultClass::kMasked)), dash(counts.of(FaultClass::kMissed))});
}

std::string coverage_line(const char* what, const FaultCounts& counts) {
  return fmt::format("{}: {} of {} that are not redundant detected, {:.3f} %\n", what,
                     grouped(counts.of(FaultClass::kDetected)),
                     grouped(counts.total() - counts.of(FaultClass::kRedundant)),
                     100 * counts.coverage());
}

/// Undetected faults, those of one bit of a site together.
std::string undetected_lines(const std::vector<FaultResult>& results) {
  std::map<std::tuple<hw::Site, int, FaultKind>, std::vector<const FaultResult*>> bits;
  for (const FaultResult& result : results) {
    if (result.fault_class == FaultClass::kMissed || result.fault_class == FaultClass::kMasked) {
      bits[{result.fault.site, result.fault.bit, result.fault.kind}].push_back(&result);
    }
  }
  std::string lines;
  for (const auto& [key, faults] : bits) {
    const FaultResult& first = *faults.front();
    lines += fmt::format(
        "  {} {}{}: {}\n", name_of(first.fault_class), text(first.fault),
        faults.size() == 1 ? "" : fmt::format(" and {} others of this bit", faults.size() - 1),
        first.reason);
  }
  return lines;
}

std::string csv(const std::vector<FaultResult>& results) {
  std::string text = "site,index,bit,kind,cycle,class,detection,stimulus,reason\n";
  for (const FaultResult& result : results) {
    const Fault& fault = result.fault;
    text += fmt::format("{},{},{},{},{},{},{},\"{}\",\"{}\"\n", hw::site_record(fault.site).name,
                        fault.index, fault.bit, name_of(fault.kind),
                        fault.kind == FaultKind::kFlip ? std::to_string(fault.cycle) : "",
                        name_of(result.fault_class), name_of(result.detection), result.stimulus,
                        result.reason);
  }
  return text;
}

std::string json(const std::vector<FaultResult>& results) {
  boost::json::array list;
  for (const FaultResult& result : results) {
    const Fault& fault = result.fault;
    boost::json::object record{{"site", hw::site_record(fault.site).name},
                               {"index", fault.index},
                               {"bit", fault.bit},
                               {"kind", name_of(fault.kind)},
                               {"class", name_of(result.fault_class)},
                               {"detection", name_of(result.detection)},
                               {"stimulus", result.stimulus},
                               {"reason", result.reason}};
    if (fault.kind == FaultKind::kFlip) {
      record["cycle"] = fault.cycle;
      record["masked_times"] = result.masked_times;
    }
    list.push_back(std::move(record));
  }
  return boost::json::serialize(list) + '\n';
}

}  // namespace

void FaultCounts::add(const FaultResult& result) {
  ++classes.at(static_cast<size_t>(result.fault_class));
  if (result.fault_class == FaultClass::kDetected) {
    ++detections.at(static_cast<size_t>(result.detection));
  }
  masked_times += result.masked_times;
}

int64_t FaultCounts::total() const {
  return std::accumulate(classes.begin(), classes.end(), int64_t{0});
}

double FaultCounts::coverage() const {
  const int64_t effective = total() - of(FaultClass::kRedundant);
  return effective == 0
             ? 1.0
             : static_cast<double>(of(FaultClass::kDetected)) / static_cast<double>(effective);
}

FaultCounts count(const std::vector<FaultResult>& results, bool flips) {
  FaultCounts counts;
  for (const FaultResult& result : results) {
    if ((result.fault.kind == FaultKind::kFlip) == flips) {
      counts.add(result);
    }
  }
  return counts;
}

std::string campaign_table(const std::vector<FaultResult>& results) {
  TextTable table;
  table.add_column("site", Align::kLeft);
  for (const char* title :
       {"faults", "value", "cycles", "protocol", "assertion", "redundant", "masked", "missed"}) {
    table.add_column(title, Align::kRight);
  }
  std::map<hw::Site, FaultCounts> sites;
  FaultCounts all;
  for (const FaultResult& result : results) {
    sites[result.fault.site].add(result);
    all.add(result);
  }
  for (const auto& [site, counts] : sites) {
    add_row(std::string(hw::site_record(site).name), counts, table);
  }
  add_row("all", all, table);
  std::string text = table.text();
  const FaultCounts stuck = count(results, false);
  const FaultCounts flips = count(results, true);
  if (stuck.total() > 0) {
    text += coverage_line("stuck bits", stuck);
  }
  if (flips.total() > 0) {
    text += coverage_line("bits flipped once", flips);
    text += fmt::format("times tried: {}, of which masked {}\n",
                        grouped(flips.masked_times + flips.of(FaultClass::kDetected)),
                        grouped(flips.masked_times));
  }
  return text + undetected_lines(results);
}

void write_campaign(const std::filesystem::path& path, const std::vector<FaultResult>& results) {
  AtomicFile file(path);
  file.stream() << (path.extension() == ".csv" ? csv(results) : json(results));
  file.commit();
}

std::string site_table(const BlockFormat& format, Accumulation accumulation) {
  TextTable table;
  table.add_column("site", Align::kLeft);
  table.add_column("bits", Align::kRight);
  table.add_column("signed", Align::kLeft);
  table.add_column("instances", Align::kRight);
  table.add_column("index", Align::kLeft);
  table.add_column("where", Align::kLeft);
  const hw::SiteExtents extents = fault_extents(format, accumulation);
  for (const hw::SiteRecord& record : hw::site_records()) {
    const int64_t instances = hw::site_instances(record.site, extents);
    if (instances > 0) {
      table.add_row({std::string(record.name), std::to_string(record.bits),
                     record.signedness == hw::Signedness::kSigned ? "yes" : "no",
                     std::to_string(instances), std::string(hw::axes_text(record.axes)),
                     std::string(record.where)});
    }
  }
  return table.text();
}

}  // namespace nibblecore::tb
