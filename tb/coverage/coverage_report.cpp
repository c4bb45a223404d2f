// SPDX-License-Identifier: Apache-2.0
#include "tb/coverage/coverage_report.hpp"

#include <map>
#include <utility>
#include <vector>

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/serialize.hpp>
#include <fmt/format.h>

#include "tb/replay/text_table.hpp"

namespace nibblecore::tb {
namespace {

std::string part(int64_t covered, int64_t reachable) {
  return fmt::format("{}/{}", covered, reachable);
}

std::string figures(const Coverage& coverage) {
  TextTable table({"group", "point"}, {"hit", "unreachable", "samples"});
  int64_t all_covered = 0;
  int64_t all_reachable = 0;
  int64_t all_unreachable = 0;
  for (const CoverPoint& point : coverage.points()) {
    int64_t samples = 0;
    for (const CoverBin& bin : point.bins()) {
      samples += bin.hits;
    }
    const int64_t unreachable = static_cast<int64_t>(point.bins().size()) - point.reachable();
    table.add_row({point.group(), point.name(), part(point.covered(), point.reachable()),
                   std::to_string(unreachable), grouped(samples)});
    all_covered += point.covered();
    all_reachable += point.reachable();
    all_unreachable += unreachable;
  }
  table.add_row({"all", "", part(all_covered, all_reachable), std::to_string(all_unreachable), ""});
  return table.text();
}

/// One line a point: its bins behind each other.
template <class Choose>
std::string lines(const Coverage& coverage, const char* title, Choose choose) {
  std::string text;
  for (const CoverPoint& point : coverage.points()) {
    std::string names;
    for (const CoverBin& bin : choose(point)) {
      names += (names.empty() ? "" : "; ") + bin.name;
    }
    if (!names.empty()) {
      text += fmt::format("  {} / {}: {}\n", point.group(), point.name(), names);
    }
  }
  return text.empty() ? text : fmt::format("\n{}\n{}", title, text);
}

std::string unreachable_lines(const Coverage& coverage) {
  std::string text;
  for (const CoverPoint& point : coverage.points()) {
    std::vector<std::pair<std::string, std::string>> by_reason;
    for (const CoverBin& bin : point.bins()) {
      if (bin.is_reachable()) {
        continue;
      }
      if (by_reason.empty() || by_reason.back().first != bin.unreachable) {
        by_reason.emplace_back(bin.unreachable, bin.name);
      } else {
        by_reason.back().second += "; " + bin.name;
      }
    }
    for (const auto& [reason, names] : by_reason) {
      text += fmt::format("  {} / {}: {}\n      {}\n", point.group(), point.name(), names, reason);
    }
  }
  return text.empty() ? text : "\nUnreachable\n" + text;
}

}  // namespace

std::string coverage_table(const Coverage& coverage) {
  return figures(coverage) +
         lines(coverage, "Holes", [](const CoverPoint& point) { return point.holes(); }) +
         lines(coverage, "Hit although declared unreachable",
               [](const CoverPoint& point) { return point.surprises(); }) +
         unreachable_lines(coverage);
}

std::string coverage_json(const Coverage& coverage) {
  boost::json::array points;
  for (const CoverPoint& point : coverage.points()) {
    boost::json::array bins;
    for (const CoverBin& bin : point.bins()) {
      boost::json::object entry{{"name", bin.name}, {"hits", bin.hits}};
      if (!bin.is_reachable()) {
        entry["unreachable"] = bin.unreachable;
      }
      bins.push_back(std::move(entry));
    }
    points.push_back(boost::json::object{
        {"group", point.group()}, {"name", point.name()}, {"bins", std::move(bins)}});
  }
  const boost::json::object document{{"points", std::move(points)},
                                     {"holes", coverage.holes()},
                                     {"surprises", coverage.surprises()}};
  return boost::json::serialize(document) + "\n";
}

}  // namespace nibblecore::tb
