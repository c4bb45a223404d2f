// SPDX-License-Identifier: Apache-2.0
#include "tb/coverage/cover_point.hpp"

#include <algorithm>
#include <utility>

#include "model/common/error.hpp"

namespace nibblecore::tb {
namespace {

template <class Condition>
std::vector<CoverBin> chosen(const std::vector<CoverBin>& bins, Condition condition) {
  std::vector<CoverBin> result;
  std::copy_if(bins.begin(), bins.end(), std::back_inserter(result), condition);
  return result;
}

}  // namespace

CoverPoint::CoverPoint(std::string group, std::string name, std::vector<CoverBin> bins)
    : group_(std::move(group)), name_(std::move(name)), bins_(std::move(bins)) {
  if (bins_.empty()) {
    throw InternalError("cover point '" + name_ + "' has no bins");
  }
}

int64_t CoverPoint::reachable() const {
  return std::count_if(bins_.begin(), bins_.end(),
                       [](const CoverBin& bin) { return bin.is_reachable(); });
}

int64_t CoverPoint::covered() const {
  return std::count_if(bins_.begin(), bins_.end(),
                       [](const CoverBin& bin) { return bin.is_reachable() && bin.hits > 0; });
}

std::vector<CoverBin> CoverPoint::holes() const {
  return chosen(bins_, [](const CoverBin& bin) { return bin.is_reachable() && bin.hits == 0; });
}

std::vector<CoverBin> CoverPoint::surprises() const {
  return chosen(bins_, [](const CoverBin& bin) { return !bin.is_reachable() && bin.hits > 0; });
}

std::vector<CoverBin> bins_of(const std::vector<std::string>& names) {
  std::vector<CoverBin> bins;
  bins.reserve(names.size());
  for (const std::string& name : names) {
    bins.push_back({name, {}, 0});
  }
  return bins;
}

void rule_out(std::vector<CoverBin>& bins, size_t first, size_t last, const std::string& reason) {
  for (size_t bin = first; bin <= last; ++bin) {
    bins.at(bin).unreachable = reason;
  }
}

std::vector<std::string> cross(const std::vector<std::string>& a,
                               const std::vector<std::string>& b) {
  std::vector<std::string> names;
  names.reserve(a.size() * b.size());
  for (const std::string& outer : a) {
    for (const std::string& inner : b) {
      names.push_back(outer);
      names.back().append(", ").append(inner);
    }
  }
  return names;
}

}  // namespace nibblecore::tb
