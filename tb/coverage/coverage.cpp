// SPDX-License-Identifier: Apache-2.0
#include "tb/coverage/coverage.hpp"

#include <algorithm>
#include <utility>

#include "model/common/error.hpp"

namespace nibblecore::tb {

CoverPoint& Coverage::add(const std::string& group, const std::string& name,
                          std::vector<CoverBin> bins) {
  if (find(group, name) != nullptr) {
    throw InternalError("two cover points '" + name + "' in group '" + group + "'");
  }
  return points_.emplace_back(group, name, std::move(bins));
}

const CoverPoint* Coverage::find(const std::string& group, const std::string& name) const {
  const auto found = std::find_if(points_.begin(), points_.end(), [&](const CoverPoint& point) {
    return point.group() == group && point.name() == name;
  });
  return found == points_.end() ? nullptr : &*found;
}

const CoverPoint& Coverage::point(const std::string& group, const std::string& name) const {
  const CoverPoint* found = find(group, name);
  if (found == nullptr) {
    throw InternalError("no cover point '" + name + "' in group '" + group + "'");
  }
  return *found;
}

int64_t Coverage::holes() const {
  int64_t count = 0;
  for (const CoverPoint& point : points_) {
    count += static_cast<int64_t>(point.holes().size());
  }
  return count;
}

int64_t Coverage::surprises() const {
  int64_t count = 0;
  for (const CoverPoint& point : points_) {
    count += static_cast<int64_t>(point.surprises().size());
  }
  return count;
}

}  // namespace nibblecore::tb
